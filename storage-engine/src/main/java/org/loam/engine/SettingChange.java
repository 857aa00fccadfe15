package org.loam.engine;

import org.loam.common.config.Setting;
import org.loam.common.config.Settings;
import org.loam.engine.open.SettingChanges.Change;

/**
 * A setting that was changed while the engine runs; values as text, in the form that they are read
 * in.
 *
 * @param name the setting
 * @param oldValue what it was
 * @param newValue what was asked for
 * @param effectiveValue what it is now: what was asked for, except that {@code l0.stop} goes no
 *     higher than what merges can read at once with the buffers that were made for them at open; an
 *     engine that is opened with the higher value makes larger ones
 */
public record SettingChange(String name, String oldValue, String newValue, String effectiveValue) {
  static SettingChange of(String name, Change change) {
    Setting<?> setting = Settings.find(name).orElseThrow();
    return new SettingChange(
        name,
        setting.textOf(change.before()),
        setting.textOf(change.wanted()),
        setting.textOf(change.effective()));
  }
}
