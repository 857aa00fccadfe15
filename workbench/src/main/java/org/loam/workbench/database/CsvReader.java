package org.loam.workbench.database;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.CharConversionException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.CommandException;

/**
 * Reads a record from each row of CSV (RFC 4180, commas, UTF-8); the first row has the names of the
 * fields. A cell is a number, true, false or null if it looks like one, else a text; an empty cell
 * is no field.
 */
final class CsvReader implements RecordReader {
  private final CsvParser parser;
  private final Set<String> texts;
  private final List<String> names;
  private final List<String> cells = new ArrayList<>();
  private long line;

  /**
   * Reads the first row.
   *
   * @param texts fields that are texts whatever they look like, and empty rather than absent
   * @throws CommandException if there is none, or it is not a row of names
   * @throws BadRecordException if it is not CSV
   */
  CsvReader(InputStream in, Set<String> texts) throws IOException, BadRecordException {
    CsvFactory factory = CsvFactory.builder().enable(CsvParser.Feature.SKIP_EMPTY_LINES).build();
    this.parser = factory.createParser(in);
    this.texts = texts;
    if (!readRow()) {
      throw CommandException.failed(
          "the input is empty; a first row with field names must be there");
    }
    names = List.copyOf(cells);
    Set<String> distinct = new HashSet<>();
    for (String name : names) {
      if (name.isEmpty() || !distinct.add(name)) {
        throw CommandException.failed(
            "line 1 names the fields " + names + "; names must be there and differ");
      }
    }
    if (!distinct.containsAll(texts)) {
      throw CommandException.usage("--text names the fields " + texts + ", the input has " + names);
    }
  }

  @Override
  public @Nullable InputRecord next() throws IOException, BadRecordException {
    if (!readRow()) {
      return null;
    }
    if (cells.size() != names.size()) {
      throw new BadRecordException(
          line,
          "the row has " + cells.size() + " columns, the first row names " + names.size(),
          true);
    }
    ObjectNode record = JsonText.NODES.objectNode();
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      String cell = cells.get(i);
      if (texts.contains(name)) {
        record.put(name, cell);
      } else if (!cell.isEmpty()) {
        record.set(name, JsonText.scalar(cell));
      }
    }
    return new InputRecord(line, JsonText.bytes(record));
  }

  /** Whether there was one. */
  private boolean readRow() throws IOException, BadRecordException {
    cells.clear();
    try {
      if (parser.nextToken() != JsonToken.START_ARRAY) {
        return false;
      }
      line = parser.currentLocation().getLineNr();
      while (parser.nextToken() == JsonToken.VALUE_STRING) {
        cells.add(parser.getText());
      }
      return true;
    } catch (JsonProcessingException e) {
      // Where the next row begins cannot be known.
      throw new BadRecordException(line, "malformed CSV: " + e.getOriginalMessage(), false);
    } catch (CharConversionException e) {
      throw new BadRecordException(
          parser.currentLocation().getLineNr(), "this line or one soon after is not UTF-8", false);
    }
  }
}
