package org.loam.asterix.merge;

import java.util.Optional;
import org.apache.asterix.common.context.CorrelatedPrefixMergePolicyFactory;
import org.apache.asterix.lang.common.statement.DatasetDecl;
import org.apache.asterix.lang.common.statement.InternalDetailsDecl;
import org.apache.asterix.runtime.compression.CompressionManager;
import org.apache.hyracks.api.exceptions.IError;
import org.apache.hyracks.api.exceptions.Warning;

/**
 * Says where AsterixDB was told to compress and Loam does not. AsterixDB compresses the pages of
 * primary indexes by what a statement says, or else by an option that all nodes have in common. A
 * statement is answered with a warning. The option, which is snappy unless the configuration says
 * otherwise, is for each node to mention when it starts.
 */
public final class BlockCompression {
  private static final IError HAS_NO_EFFECT =
      new IError() {
        @Override
        public String component() {
          return "LOAM";
        }

        @Override
        public int intValue() {
          return 1;
        }

        @Override
        public String errorMessage() {
          return "storage-block-compression %1$s has no effect on dataset %2$s: it is in Loam,"
              + " which does not compress";
        }
      };

  private BlockCompression() {}

  private static boolean compresses(String scheme) {
    return !scheme.equalsIgnoreCase(CompressionManager.NONE);
  }

  /** A warning if the statement asks for compression, and its dataset is in Loam. */
  static Optional<Warning> ignored(DatasetDecl statement) {
    return Optional.ofNullable(statement.getDatasetCompressionScheme())
        .filter(scheme -> compresses(scheme) && isServed(statement))
        .map(
            scheme ->
                Warning.of(
                    statement.getSourceLocation(),
                    HAS_NO_EFFECT,
                    scheme,
                    statement.getName().getValue()));
  }

  /** Whether nodes put the dataset into Loam. */
  private static boolean isServed(DatasetDecl statement) {
    return statement.getDatasetDetailsDecl() instanceof InternalDetailsDecl details
        && details.getFilterField() == null
        && !CorrelatedPrefixMergePolicyFactory.NAME.equals(statement.getCompactionPolicy());
  }

  /**
   * What a node says of the compression of datasets whose statements do not mention it.
   *
   * @param scheme the common option
   * @return empty if the option asks for no compression
   */
  public static Optional<String> note(String scheme) {
    return compresses(scheme)
        ? Optional.of(
            "compression: storage.compression.block is "
                + scheme
                + ", which has no effect on indexes in Loam: it does not compress; nodes do not"
                + " mention it with [common] storage.compression.block=none")
        : Optional.empty();
  }
}
