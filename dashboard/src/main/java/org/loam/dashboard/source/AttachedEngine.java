package org.loam.dashboard.source;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.jspecify.annotations.Nullable;
import org.loam.common.env.real.DirectoryOwner;
import org.loam.common.error.StorageException;

/**
 * The bean of an engine in another JVM of this machine, which is reached by attaching to it. Any
 * answer is an {@link IOException} if the engine is closed, or the process has ended.
 */
public final class AttachedEngine implements AutoCloseable {
  private final JMXConnector connector;
  private final MBeanServerConnection server;
  private final ObjectName name;

  /** The process could be attached to, but shows no engine of the directory. */
  private static final class NoBeanException extends IOException {
    private static final long serialVersionUID = 1L;

    NoBeanException(Path directory) {
      super(
          "A process has "
              + directory
              + " open, and its JMX shows no engine there: it is opening or closing the directory,"
              + " or has given the engine an environment of its own; try again.");
    }
  }

  private AttachedEngine(JMXConnector connector, Path directory) throws IOException, JMException {
    this.connector = connector;
    this.server = connector.getMBeanServerConnection();
    this.name = find(server, directory);
  }

  /**
   * The engine that has a directory open in another process that this one sees; null if there is
   * none.
   *
   * @throws IOException if it cannot be attached to; its message is for the reader
   * @throws StorageException if the directory cannot be read
   */
  public static @Nullable AttachedEngine find(Path directory) throws IOException {
    DirectoryOwner owner = DirectoryOwner.of(directory);
    boolean isOther =
        owner.state() == DirectoryOwner.State.RUNS && owner.pid() != ProcessHandle.current().pid();
    return isOther ? of(owner.pid(), directory) : null;
  }

  /**
   * Attaches to a process and finds the engine of a directory there.
   *
   * @throws IOException if the process cannot be attached to, or shows no such engine; its message
   *     is for the reader
   */
  static AttachedEngine of(long pid, Path directory) throws IOException {
    try {
      return attach(pid, directory);
    } catch (NoBeanException e) {
      throw e;
    } catch (IOException e) {
      throw new IOException(
          "Process "
              + pid
              + " has this directory open, but does not let this command attach to it ("
              + String.valueOf(e.getMessage()).lines().findFirst().orElse("")
              + "); the same user has to run both, and that JVM must not have"
              + " -XX:+DisableAttachMechanism.",
          e);
    }
  }

  @SuppressWarnings("BanJNDI") // The agent is one of this user's own processes.
  private static AttachedEngine attach(long pid, Path directory) throws IOException {
    JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(agentOf(pid)));
    try {
      return new AttachedEngine(connector, directory);
    } catch (NoBeanException e) {
      connector.close();
      throw e;
    } catch (IOException | JMException | RuntimeException e) {
      connector.close();
      throw new IOException(e.getMessage(), e);
    }
  }

  /** Has the process start its local agent of JMX, which only its own user reaches. */
  private static String agentOf(long pid) throws IOException {
    VirtualMachine machine;
    try {
      machine = VirtualMachine.attach(Long.toString(pid));
    } catch (AttachNotSupportedException e) {
      throw new IOException(e.getMessage(), e);
    }
    try {
      return machine.startLocalManagementAgent();
    } finally {
      machine.detach();
    }
  }

  private static ObjectName find(MBeanServerConnection server, Path directory)
      throws IOException, JMException {
    for (ObjectName name : server.queryNames(new ObjectName("org.loam:type=Engine,*"), null)) {
      Path shown = Path.of(ObjectName.unquote(name.getKeyProperty("directory")));
      if (Files.exists(shown) && Files.isSameFile(shown, directory)) {
        return name;
      }
    }
    throw new NoBeanException(directory);
  }

  /** The statistics of now, as JSON. */
  public String statistics() throws IOException {
    return attribute("Statistics");
  }

  /** The last choices of memory to flush, as JSON. */
  public String flushChoices() throws IOException {
    return attribute("FlushChoices");
  }

  private String attribute(String attribute) throws IOException {
    try {
      return (String) server.getAttribute(name, attribute);
    } catch (JMException | RuntimeException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException e) {
      // The process has ended.
    }
  }
}
