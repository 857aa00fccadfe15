package org.loam.asterix.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.apache.asterix.common.storage.ResourceReference;
import org.apache.asterix.om.types.ATypeTag;
import org.apache.asterix.om.types.IAType;
import org.apache.hyracks.api.application.INCServiceContext;
import org.apache.hyracks.api.compression.ICompressorDecompressorFactory;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.FileReference;
import org.apache.hyracks.api.io.IJsonSerializable;
import org.apache.hyracks.api.io.IPersistedResourceRegistry;
import org.apache.hyracks.storage.am.lsm.btree.dataflow.LSMBTreeLocalResource;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIndex;
import org.apache.hyracks.storage.am.lsm.common.api.IVirtualBufferCache;
import org.apache.hyracks.storage.common.compression.NoOpCompressorDecompressorFactory;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.loam.asterix.index.IndexCheckpoints;
import org.loam.asterix.index.IndexShape;
import org.loam.asterix.index.IndexSite;
import org.loam.asterix.index.LoamIndex;
import org.loam.asterix.merge.MergePolicies;
import org.loam.common.env.real.RealEnv;
import org.loam.engine.MergeOptions;

/**
 * The description of a B+-tree index that is in Loam, as a node keeps it. Only the name of its kind
 * differs from AsterixDB's description; a node without Loam does not know that name.
 */
public final class LoamIndexResource extends LSMBTreeLocalResource {
  /** The name of the kind in files. */
  static final String KIND = "LoamIndexResource";

  private static final long serialVersionUID = 1L;

  private final byte[] keyTypes;

  private LoamIndexResource(
      IPersistedResourceRegistry registry,
      JsonNode json,
      ICompressorDecompressorFactory compression)
      throws HyracksDataException {
    super(
        registry,
        json,
        OBJECT_MAPPER.convertValue(json.get("bloomFilterKeyFields"), int[].class),
        json.get("bloomFilterFalsePositiveRate").asDouble(),
        json.get("isPrimary").asBoolean(),
        OBJECT_MAPPER.convertValue(json.get("btreeFields"), int[].class),
        compression,
        json.path("hasBloomFilter").asBoolean());
    keyTypes = keyTypes(registry, json.get("cmpFactories"));
  }

  /** The tags of the types that comparators are for, as their description says. */
  static byte[] keyTypes(IPersistedResourceRegistry registry, JsonNode comparators)
      throws HyracksDataException {
    byte[] types = new byte[comparators.size()];
    for (int i = 0; i < types.length; i++) {
      JsonNode type = comparators.get(i).path("leftType");
      ATypeTag tag =
          type.isObject() ? ((IAType) registry.deserialize(type)).getTypeTag() : ATypeTag.ANY;
      types[i] = tag.serialize();
    }
    return types;
  }

  /** AsterixDB calls this for descriptions of this kind. */
  public static IJsonSerializable fromJson(IPersistedResourceRegistry registry, JsonNode json)
      throws HyracksDataException {
    ICompressorDecompressorFactory compression =
        (ICompressorDecompressorFactory)
            registry.deserializeOrDefault(
                json.get("compressorDecompressorFactory"), NoOpCompressorDecompressorFactory.class);
    return new LoamIndexResource(registry, json, compression);
  }

  /** How the index is merged; null if the settings decide. */
  @Nullable MergeOptions mergeOptions() {
    return MergePolicies.options(mergePolicyFactory, mergePolicyProperties);
  }

  /** Logs a warning if Loam ignores the merge policy of the dataset. */
  void warnOfMergePolicy(Logger log) {
    if (isPrimary && MergePolicies.isIgnored(mergePolicyFactory, mergePolicyProperties)) {
      log.warn(
          "{}: Loam merges by its own policy, not by {} {}; choose one of Loam's: {}",
          path,
          mergePolicyFactory.getName(),
          mergePolicyProperties,
          MergePolicies.names());
    }
  }

  @Override
  public ILSMIndex createInstance(INCServiceContext service) throws HyracksDataException {
    LoamRuntimeContext context = (LoamRuntimeContext) service.getApplicationContext();
    context.loam().trees().setMergeOptions(path, mergeOptions());
    FileReference directory = service.getIoManager().resolve(path);
    List<IVirtualBufferCache> memory = vbcProvider.getVirtualBufferCaches(service, directory);
    ioOpCallbackFactory.initialize(service, this);
    pageWriteCallbackFactory.initialize(service, this);
    IndexSite site =
        new IndexSite(
            context.loam(),
            new IndexSite.Place(service.getIoManager(), directory),
            new IndexSite.Memory(memory, storageManager.getBufferCache(service)),
            new IndexSite.Duties(
                mergePolicyFactory.createMergePolicy(mergePolicyProperties, service),
                opTrackerProvider.getOperationTracker(service, this),
                ioSchedulerProvider.getIoScheduler(service),
                ioOpCallbackFactory,
                pageWriteCallbackFactory),
            service.getTracer(),
            () -> context.getLocalResourceRepository().get(path).getId(),
            new IndexCheckpoints(
                RealEnv.create().files(),
                Path.of(directory.getAbsolutePath()),
                context.getIndexCheckpointManagerProvider().get(ResourceReference.ofIndex(path))));
    return new LoamIndex(
        site,
        new IndexShape(
            typeTraits,
            cmpFactories,
            keyTypes,
            nullTypeTraits,
            nullIntrospector,
            isPrimary,
            // Other secondary indexes never have a Bloom filter.
            !isPrimary && hasBloomFilter,
            durable));
  }
}
