package org.loam.dashboard.source;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.ReflectionException;
import javax.management.RuntimeMBeanException;
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
              + firstLine(e)
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

  /** What keeps the engine from its work, as JSON; null of a version of Loam that does not say. */
  public @Nullable String health() throws IOException {
    try {
      return attribute("Health");
    } catch (IOException e) {
      if (e.getCause() instanceof AttributeNotFoundException) {
        return null;
      }
      throw e;
    }
  }

  /** The last choices of memory to flush, as JSON. */
  public String flushChoices() throws IOException {
    return attribute("FlushChoices");
  }

  /**
   * Has the engine make a checkpoint.
   *
   * @param target absolute
   * @return what was made, as JSON
   * @throws IllegalArgumentException if the engine refuses, with its rule
   * @throws IllegalStateException if the checkpoint failed, but not for a lack of the machine
   * @throws IOException also if it failed for one; its message is for the reader
   */
  public String checkpoint(Path target) throws IOException {
    try {
      return (String)
          server.invoke(
              name,
              "checkpoint",
              new Object[] {target.toString()},
              new String[] {String.class.getName()});
    } catch (RuntimeMBeanException e) {
      RuntimeException fault = e.getTargetException();
      if (fault instanceof IllegalArgumentException) {
        throw new IllegalArgumentException(fault.getMessage(), e);
      }
      if (fault instanceof UncheckedIOException) {
        throw new IOException(fault.getMessage(), e);
      }
      throw new IllegalStateException(fault.getMessage(), e);
    } catch (InstanceNotFoundException e) {
      throw new IOException(
          "the process that had the database open closed it before it began; nothing was made in "
              + target
              + ", try again",
          e);
    } catch (ReflectionException e) {
      throw new IOException("the process runs another version of Loam, without checkpoints", e);
    } catch (IOException e) {
      throw new IOException(
          "the process that had the database open gave no answer, it ended or was killed ("
              + firstLine(e)
              + "); it is not known what is in "
              + target
              + ": a checkpoint if './loam verify' opens it, otherwise delete it",
          e);
    } catch (JMException | RuntimeException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
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
