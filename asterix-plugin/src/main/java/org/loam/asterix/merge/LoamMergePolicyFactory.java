package org.loam.asterix.merge;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import org.apache.asterix.common.utils.StorageConstants;
import org.apache.hyracks.api.application.INCServiceContext;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.io.IPersistedResourceRegistry;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMergePolicy;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMMergePolicyFactory;
import org.apache.hyracks.storage.am.lsm.common.impls.ConcurrentMergePolicyFactory;
import org.loam.engine.MergeOptions;

/**
 * A merge policy of Loam's for the datasets that name it. AsterixDB makes it by its class name, on
 * any node, and keeps that name and the parameters with the dataset. Immutable.
 */
public abstract class LoamMergePolicyFactory implements ILSMMergePolicyFactory {
  private static final long serialVersionUID = 1L;

  /**
   * A parameter.
   *
   * @param rule what is allowed, for messages
   * @param defaultValue the value if a statement gives none
   */
  record Parameter(String rule, int defaultValue) {}

  /** All parameters by name, in the order in which people are told of them. */
  abstract Map<String, Parameter> parameters();

  /**
   * The merge options that the parameters stand for.
   *
   * @param values of all parameters
   * @throws IllegalArgumentException if the values are not allowed, naming the parameters
   */
  abstract MergeOptions options(Map<String, Integer> values);

  /**
   * The given parameters, and the defaults of all others.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  final Map<String, String> complete(Map<String, String> given) {
    for (String name : given.keySet()) {
      if (!parameters().containsKey(name)) {
        throw refused("has no parameter '" + name + "'; it has " + allowed());
      }
    }
    Map<String, String> all = new LinkedHashMap<>();
    parameters()
        .forEach(
            (name, parameter) ->
                all.put(
                    name, given.getOrDefault(name, Integer.toString(parameter.defaultValue()))));
    options(numbers(all));
    return all;
  }

  /**
   * How the trees of a dataset are merged.
   *
   * @param properties that AsterixDB kept
   * @throws IllegalArgumentException naming what is wrong
   */
  public final MergeOptions mergeOptions(Map<String, String> properties) {
    return options(numbers(complete(properties)));
  }

  private Map<String, Integer> numbers(Map<String, String> texts) {
    Map<String, Integer> numbers = new LinkedHashMap<>();
    texts.forEach((name, text) -> numbers.put(name, number(name, text)));
    return numbers;
  }

  /** AsterixDB wants some of its parameters with a decimal point. */
  private int number(String name, String text) {
    try {
      double number = Double.parseDouble(text);
      if (number == Math.rint(number) && Math.abs(number) <= Integer.MAX_VALUE) {
        return (int) number;
      }
    } catch (NumberFormatException e) {
      // Not even that.
    }
    throw refused("has a parameter " + name + " that is " + text + ", must be a whole number");
  }

  final IllegalArgumentException refused(String what) {
    return new IllegalArgumentException("merge policy " + getName() + " " + what);
  }

  private String allowed() {
    StringJoiner names = new StringJoiner(", ");
    parameters().forEach((name, parameter) -> names.add(name + " (" + parameter.rule() + ")"));
    return names.toString();
  }

  @Override
  public final Set<String> getPropertiesNames() {
    return Collections.unmodifiableSet(parameters().keySet());
  }

  /**
   * AsterixDB's default policy, for indexes of the dataset that are not in Loam, such as an R-tree.
   * Indexes in Loam do not use it.
   */
  @Override
  public final ILSMMergePolicy createMergePolicy(
      Map<String, String> properties, INCServiceContext service) {
    mergeOptions(properties);
    return new ConcurrentMergePolicyFactory()
        .createMergePolicy(StorageConstants.DEFAULT_COMPACTION_POLICY_PROPERTIES, service);
  }

  @Override
  public final JsonNode toJson(IPersistedResourceRegistry registry) throws HyracksDataException {
    return registry.getClassIdentifier(getClass(), serialVersionUID);
  }
}
