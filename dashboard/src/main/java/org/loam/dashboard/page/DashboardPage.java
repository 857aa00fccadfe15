package org.loam.dashboard.page;

/** The page of a dashboard; what it shows comes with the stream of events. */
public final class DashboardPage {
  private DashboardPage() {}

  /** The whole page. */
  public static String html() {
    return Charts.resource(DashboardPage.class, "page.html")
        .replace("/*uplot.css*/", Charts.styles())
        .replace("/*page.css*/", Charts.resource(DashboardPage.class, "page.css"))
        .replace("/*uplot.js*/", Charts.script())
        .replace("/*page.js*/", Charts.resource(DashboardPage.class, "page.js"));
  }
}
