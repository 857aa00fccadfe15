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

/** The bean of an engine in another JVM of this machine, which is reached by attaching to it. */
final class AttachedEngine implements AutoCloseable {
  private final JMXConnector connector;
  private final MBeanServerConnection server;
  private final ObjectName name;

  private AttachedEngine(JMXConnector connector, Path directory) throws IOException, JMException {
    this.connector = connector;
    this.server = connector.getMBeanServerConnection();
    this.name = find(server, directory);
  }

  /**
   * Attaches to a process and finds the engine of a directory there.
   *
   * @throws IOException if the process cannot be attached to, or shows no such engine
   */
  @SuppressWarnings("BanJNDI") // The agent is one of this user's own processes.
  static AttachedEngine of(long pid, Path directory) throws IOException {
    JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(agentOf(pid)));
    try {
      return new AttachedEngine(connector, directory);
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
    throw new IOException("JMX does not show an engine of " + directory + " there");
  }

  /**
   * The statistics of now, as JSON.
   *
   * @throws IOException if the engine is closed, or the process has ended
   */
  String statistics() throws IOException {
    try {
      return (String) server.getAttribute(name, "Statistics");
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
