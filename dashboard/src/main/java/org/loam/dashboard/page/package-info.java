/**
 * What the browser gets: one page with its script, its styles and uPlot inside.
 *
 * <p>{@link org.loam.dashboard.page.DashboardPage} makes it; {@link org.loam.dashboard.page.Charts}
 * has uPlot, for other pages with charts, too. Uses: nothing.
 */
@NullMarked
package org.loam.dashboard.page;

import org.jspecify.annotations.NullMarked;
