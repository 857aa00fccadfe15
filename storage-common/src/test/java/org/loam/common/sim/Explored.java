package org.loam.common.sim;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test class that runs in instrumented code, so that every access to memory that threads share is
 * a switching point of its simulations. The class needs a constructor without parameters; its
 * methods that JUnit calls before and after a test are not called.
 *
 * @see Schedules
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@ExtendWith(ExploredExtension.class)
public @interface Explored {}
