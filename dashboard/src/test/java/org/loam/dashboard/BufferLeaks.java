package org.loam.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Fails a test if a buffer of Netty was lost before it was released. Netty finds that once the heap
 * has been collected, and only with the next buffer that is made. So one more is lost on purpose:
 * when that has been found, those before it have been, too.
 */
public final class BufferLeaks implements AfterEachCallback {
  /** Netty reports leaks with the same description once. */
  private static int lostOnPurpose;

  /** Far more than it takes. */
  private static final int COLLECTIONS = 100;

  private static final ConcurrentLinkedQueue<String> LOST = new ConcurrentLinkedQueue<>();

  static {
    // Before the first buffer.
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(
        new ResourceLeakDetectorFactory() {
          @Override
          @SuppressWarnings("deprecation") // abstract all the same
          public <T> ResourceLeakDetector<T> newResourceLeakDetector(
              Class<T> resource, int samplingInterval, long maxActive) {
            return new Detector<>(resource, samplingInterval);
          }
        });
  }

  private static final class Detector<T> extends ResourceLeakDetector<T> {
    Detector(Class<T> resource, int samplingInterval) {
      super(resource, samplingInterval);
    }

    @Override
    protected boolean needReport() {
      return true;
    }

    @Override
    protected void reportTracedLeak(String resourceType, String records) {
      LOST.add(resourceType + records);
    }

    @Override
    protected void reportUntracedLeak(String resourceType) {
      LOST.add(resourceType);
    }
  }

  private static String loseOne() {
    String description = "lost on purpose: " + lostOnPurpose++;
    ByteBuf unused = ByteBufAllocator.DEFAULT.buffer(1).touch(description);
    return description;
  }

  private static boolean isFound(String description) {
    return LOST.stream().anyMatch(lost -> lost.contains(description));
  }

  /** Collects the heap, and waits until an object that is garbage by then has been found. */
  private static void collect() throws InterruptedException {
    ReferenceQueue<Object> found = new ReferenceQueue<>();
    PhantomReference<Object> garbage = new PhantomReference<>(new Object(), found);
    System.gc();
    assertThat(found.remove()).isSameAs(garbage);
  }

  @Override
  public void afterEach(ExtensionContext context) throws InterruptedException {
    String onPurpose = loseOne();
    for (int i = 0; i < COLLECTIONS && !isFound(onPurpose); i++) {
      collect();
      ByteBufAllocator.DEFAULT.buffer(1).release();
    }
    List<String> lost = new ArrayList<>(LOST);
    LOST.clear();
    assertThat(lost).as("buffers that were lost").singleElement().asString().contains(onPurpose);
  }
}
