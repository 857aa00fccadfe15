package org.loam.workbench.console;

import org.loam.common.config.Units;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes on the command line as the configuration does: {@code 512MiB}. */
public final class ByteSize implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    try {
      return Units.parseBytes(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
