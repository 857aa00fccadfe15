package org.loam.asterix.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.lang.reflect.Proxy;
import java.util.List;
import org.apache.asterix.formats.nontagged.BinaryComparatorFactoryProvider;
import org.apache.asterix.om.types.AUnionType;
import org.apache.asterix.om.types.BuiltinType;
import org.apache.asterix.om.types.IAType;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.IPersistedResourceRegistry;
import org.apache.hyracks.data.std.accessors.ShortBinaryComparatorFactory;
import org.junit.jupiter.api.Test;
import org.loam.asterix.key.AdmOrder;

class LoamIndexResourceTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Knows builtin types. That of a node needs classes that are not here. */
  private final IPersistedResourceRegistry registry =
      (IPersistedResourceRegistry)
          Proxy.newProxyInstance(
              IPersistedResourceRegistry.class.getClassLoader(),
              new Class<?>[] {IPersistedResourceRegistry.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "getClassIdentifier" -> JSON.createObjectNode();
                    case "deserialize" ->
                        BuiltinType.fromJson(
                            (IPersistedResourceRegistry) proxy, (JsonNode) arguments[0]);
                    default -> throw new AssertionError(method);
                  });

  private static byte[] tags(List<IAType> types) {
    byte[] tags = new byte[types.size()];
    for (int i = 0; i < tags.length; i++) {
      tags[i] = types.get(i).getTypeTag().serialize();
    }
    return tags;
  }

  private ArrayNode comparators(List<IAType> types) throws HyracksDataException {
    ArrayNode json = JSON.createArrayNode();
    for (IAType type : types) {
      json.add(
          BinaryComparatorFactoryProvider.INSTANCE
              .getBinaryComparatorFactory(type, true)
              .toJson(registry));
    }
    return json;
  }

  @Test
  void comparatorsSayOfWhichTypeAKeyIs() throws Exception {
    List<IAType> types = List.copyOf(AdmOrder.KEY_TYPES.values());
    assertThat(LoamIndexResource.keyTypes(registry, comparators(types))).isEqualTo(tags(types));
    List<IAType> unknown = types.stream().map(AUnionType::createUnknownableType).toList();
    assertThat(LoamIndexResource.keyTypes(registry, comparators(unknown))).isEqualTo(tags(types));
  }

  @Test
  void aComparatorOfNoTypeIsOfAny() throws Exception {
    ArrayNode json = JSON.createArrayNode();
    json.add(ShortBinaryComparatorFactory.INSTANCE.toJson(registry));
    assertThat(LoamIndexResource.keyTypes(registry, json))
        .containsExactly(BuiltinType.ANY.getTypeTag().serialize());
  }
}
