package org.loam.asterix.runtime;

import java.util.function.Consumer;
import org.apache.asterix.common.config.MessagingProperties;
import org.apache.asterix.common.messaging.api.ICcAddressedMessage;
import org.apache.asterix.messaging.NCMessageBroker;
import org.apache.hyracks.api.control.CcId;
import org.apache.hyracks.control.nc.NodeControllerService;

/** The messages of a node, of which those to the cluster controller are shown to the node first. */
public final class LoamMessages extends NCMessageBroker {
  private final Consumer<ICcAddressedMessage> shown;

  /**
   * @param shown is told of each message
   */
  public LoamMessages(
      NodeControllerService controller,
      MessagingProperties properties,
      Consumer<ICcAddressedMessage> shown) {
    super(controller, properties);
    this.shown = shown;
  }

  @Override
  public void sendMessageToCC(CcId controller, ICcAddressedMessage message) throws Exception {
    shown.accept(message);
    super.sendMessageToCC(controller, message);
  }
}
