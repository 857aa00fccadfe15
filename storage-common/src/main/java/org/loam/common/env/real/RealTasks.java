package org.loam.common.env.real;

import org.loam.common.env.TaskRunner;

/**
 * Tasks on daemon threads: an engine that its owner forgot to close must not keep the JVM alive.
 */
final class RealTasks implements TaskRunner {
  @Override
  public Task start(String name, Runnable body) {
    Thread thread = new ForceThread.OwnThread(body, name);
    // Before it starts: a thread that runs can be joined, even if the heap is exhausted.
    Task task = new RealTask(thread);
    thread.start();
    return task;
  }

  private record RealTask(Thread thread) implements Task {
    @Override
    public void join() {
      boolean interrupted = Thread.interrupted();
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public boolean isAlive() {
      return thread.isAlive();
    }
  }
}
