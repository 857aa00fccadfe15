package org.loam.asterix.runtime;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.hyracks.api.config.IApplicationConfig;
import org.apache.hyracks.api.config.IOption;
import org.apache.hyracks.api.config.Section;

/**
 * Options of nodes, as AsterixDB gives them after it has read a configuration.
 *
 * @param values what counts; an option that is not there has its default
 * @param nodes the options of each node
 */
record Options(Map<IOption, Object> values, Map<String, Options> nodes)
    implements IApplicationConfig {
  static Options of(Map<IOption, Object> values) {
    return new Options(values, Map.of());
  }

  @Override
  @SuppressWarnings("NullAway") // As AsterixDB's own.
  public Object getStatic(IOption option) {
    Object value = values.get(option);
    return value == null ? option.defaultValue() : value;
  }

  @Override
  public List<String> getNCNames() {
    return List.copyOf(nodes.keySet());
  }

  @Override
  public IApplicationConfig getNCEffectiveConfig(String node) {
    return nodes.getOrDefault(node, this);
  }

  @Override
  public String getString(String section, String key) {
    throw new AssertionError();
  }

  @Override
  public int getInt(String section, String key) {
    throw new AssertionError();
  }

  @Override
  public long getLong(String section, String key) {
    throw new AssertionError();
  }

  @Override
  public Set<String> getSectionNames() {
    throw new AssertionError();
  }

  @Override
  public Set<String> getKeys(String section) {
    throw new AssertionError();
  }

  @Override
  public IOption lookupOption(String section, String key) {
    throw new AssertionError();
  }

  @Override
  public Set<IOption> getOptions() {
    throw new AssertionError();
  }

  @Override
  public Set<IOption> getOptions(Section section) {
    throw new AssertionError();
  }

  @Override
  public Set<Section> getSections() {
    throw new AssertionError();
  }

  @Override
  public Set<Section> getSections(Predicate<Section> predicate) {
    throw new AssertionError();
  }
}
