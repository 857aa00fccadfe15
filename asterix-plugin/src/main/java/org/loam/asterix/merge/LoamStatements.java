package org.loam.asterix.merge;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.apache.asterix.app.translator.DefaultStatementExecutorFactory;
import org.apache.asterix.app.translator.QueryTranslator;
import org.apache.asterix.common.api.IResponsePrinter;
import org.apache.asterix.common.context.IStorageComponentProvider;
import org.apache.asterix.common.dataflow.ICcApplicationContext;
import org.apache.asterix.common.exceptions.CompilationException;
import org.apache.asterix.common.exceptions.ErrorCode;
import org.apache.asterix.compiler.provider.ILangCompilationProvider;
import org.apache.asterix.lang.common.base.Statement;
import org.apache.asterix.lang.common.statement.DatasetDecl;
import org.apache.asterix.lang.common.util.DatasetDeclParametersUtil;
import org.apache.asterix.metadata.declared.MetadataProvider;
import org.apache.asterix.object.base.AdmObjectNode;
import org.apache.asterix.object.base.AdmStringNode;
import org.apache.asterix.translator.IRequestParameters;
import org.apache.asterix.translator.IStatementExecutor;
import org.apache.asterix.translator.SessionOutput;
import org.apache.hyracks.api.client.IHyracksClientConnection;
import org.apache.hyracks.api.exceptions.Warning;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Executes statements as AsterixDB does, but looks at those that create a dataset first: parameters
 * of a merge policy of Loam's are checked before anything is made, and those that are not given
 * become the defaults. A clause without effect in Loam is answered with a warning.
 */
public final class LoamStatements extends DefaultStatementExecutorFactory {
  private static final Logger LOG = LogManager.getLogger();

  /**
   * @param threads of the cluster controller
   */
  public LoamStatements(ExecutorService threads) {
    super(threads);
  }

  @Override
  public IStatementExecutor create(
      ICcApplicationContext context,
      List<Statement> statements,
      SessionOutput output,
      ILangCompilationProvider compilation,
      IStorageComponentProvider storage,
      IResponsePrinter printer) {
    return new Translator(context, statements, output, compilation, executorService, printer);
  }

  private static final class Translator extends QueryTranslator {
    Translator(
        ICcApplicationContext context,
        List<Statement> statements,
        SessionOutput output,
        ILangCompilationProvider compilation,
        ExecutorService threads,
        IResponsePrinter printer) {
      super(context, statements, output, compilation, threads, printer);
    }

    @Override
    public void handleCreateDatasetStatement(
        MetadataProvider metadata,
        Statement statement,
        IHyracksClientConnection connection,
        IRequestParameters request)
        throws Exception {
      DatasetDecl dataset = (DatasetDecl) statement;
      complete(dataset);
      super.handleCreateDatasetStatement(metadata, statement, connection, request);
      BlockCompression.ignored(dataset).ifPresent(warning -> warn(warning, request));
    }

    /**
     * Adds a warning to the answer. AsterixDB shows the warnings that a request asks for, and of
     * others their number, so it is in the log as well.
     */
    private void warn(Warning warning, IRequestParameters request) {
      LOG.warn(warning.getMessage());
      request.getStats().updateTotalWarningsCount(1);
      if (warningCollector.shouldWarn()) {
        warningCollector.warn(warning);
      }
    }
  }

  /** Puts all parameters into a statement that names a merge policy of Loam's. */
  static void complete(DatasetDecl statement) throws CompilationException {
    LoamMergePolicyFactory policy = MergePolicies.byName(statement.getCompactionPolicy());
    if (policy == null) {
      return;
    }
    AdmObjectNode parameters = new AdmObjectNode();
    Map<String, String> given = statement.getCompactionPolicyProperties();
    try {
      policy
          .complete(given == null ? Map.of() : given)
          .forEach((name, value) -> parameters.set(name, new AdmStringNode(value)));
    } catch (IllegalArgumentException e) {
      throw new CompilationException(
          ErrorCode.COMPILATION_ERROR, statement.getSourceLocation(), e.getMessage());
    }
    AdmObjectNode with =
        (AdmObjectNode)
            statement
                .getWithObjectNode()
                .get(DatasetDeclParametersUtil.MERGE_POLICY_PARAMETER_NAME);
    with.remove(DatasetDeclParametersUtil.MERGE_POLICY_PARAMETERS_PARAMETER_NAME);
    with.set(DatasetDeclParametersUtil.MERGE_POLICY_PARAMETERS_PARAMETER_NAME, parameters);
  }
}
