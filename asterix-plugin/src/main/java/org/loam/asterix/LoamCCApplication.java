package org.loam.asterix;

import org.apache.asterix.app.translator.DefaultStatementExecutorFactory;
import org.apache.asterix.common.cluster.IGlobalRecoveryManager;
import org.apache.asterix.hyracks.bootstrap.CCApplication;
import org.apache.asterix.hyracks.bootstrap.GlobalRecoveryManager;
import org.apache.asterix.translator.IStatementExecutorFactory;
import org.apache.hyracks.api.config.IConfigManager;
import org.loam.asterix.merge.LoamStatements;
import org.loam.asterix.runtime.FullDiskLog;
import org.loam.asterix.runtime.KnownOptions;
import org.loam.asterix.runtime.LoamGlobalRecovery;
import org.loam.asterix.runtime.StockNodes;

/**
 * AsterixDB's cluster controller: {@code [cc] app.class}. It also reads what the configuration says
 * to the nodes, so it has to know Loam's options; and it creates datasets, so it knows Loam's merge
 * policies, and gives each dataset an identifier of its own.
 */
public final class LoamCCApplication extends CCApplication {
  @Override
  public void registerConfig(IConfigManager config) {
    super.registerConfig(config);
    KnownOptions.register(config);
  }

  @Override
  public void start(String[] args) throws Exception {
    super.start(args);
    new FullDiskLog().install();
    ccServiceCtx.addClusterLifecycleListener(new StockNodes());
  }

  /** An extension that recovers in its own way is left alone. */
  @Override
  protected IGlobalRecoveryManager createGlobalRecoveryManager() throws Exception {
    IGlobalRecoveryManager recovery = super.createGlobalRecoveryManager();
    return recovery.getClass() == GlobalRecoveryManager.class
        ? new LoamGlobalRecovery(ccServiceCtx, getHcc(), componentProvider)
        : recovery;
  }

  /** An extension that executes statements in its own way is left alone. */
  @Override
  public IStatementExecutorFactory getStatementExecutorFactory() {
    IStatementExecutorFactory factory = super.getStatementExecutorFactory();
    return factory instanceof DefaultStatementExecutorFactory
        ? new LoamStatements(ccServiceCtx.getControllerService().getExecutor())
        : factory;
  }
}
