package org.loam.asterix.runtime;

import java.util.function.Consumer;
import org.apache.asterix.app.replication.message.NCLifecycleTaskReportMessage;
import org.apache.asterix.common.config.MessagingProperties;
import org.apache.asterix.common.messaging.api.ICcAddressedMessage;
import org.apache.asterix.messaging.NCMessageBroker;
import org.apache.hyracks.api.control.CcId;
import org.apache.hyracks.control.nc.NodeControllerService;

/**
 * The messages of a node. The last part of its start are tasks that the cluster controller sends:
 * to recover, to write a checkpoint, and others. Of a task that fails AsterixDB tells the cluster
 * controller, and then it ends the node; the node itself tells only its log.
 */
public final class LoamMessages extends NCMessageBroker {
  private final Consumer<Throwable> startFailed;

  /**
   * @param startFailed is told why a part of the start has failed
   */
  public LoamMessages(
      NodeControllerService controller,
      MessagingProperties properties,
      Consumer<Throwable> startFailed) {
    super(controller, properties);
    this.startFailed = startFailed;
  }

  @Override
  public void sendMessageToCC(CcId controller, ICcAddressedMessage message) throws Exception {
    if (message instanceof NCLifecycleTaskReportMessage report && !report.isSuccess()) {
      startFailed.accept(report.getException());
    }
    super.sendMessageToCC(controller, message);
  }
}
