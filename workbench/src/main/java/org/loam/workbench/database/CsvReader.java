package org.loam.workbench.database;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.csv.CsvFactory;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.loam.workbench.console.CommandException;

/**
 * Reads a record from each row of CSV (RFC 4180, commas, UTF-8); the first row has the names of the
 * fields. A cell is a number, true, false or null if it looks like one, else a text; an empty cell
 * is no field. A row of one cell that is empty or has spaces alone is a blank line, and no record.
 *
 * <p>The parser sees each byte as a character, since no byte of a longer character is a comma, a
 * quote or a line break. So a cell that is not UTF-8 spoils its row, and neither those before it,
 * which a decoder reads ahead, nor those behind it.
 */
final class CsvReader implements RecordReader {
  private static final byte[] BYTE_ORDER_MARK = {(byte) 0xef, (byte) 0xbb, (byte) 0xbf};

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
    // The parser's own skipping of blank lines takes the spaces off the first cell of all others.
    this.parser = new CsvFactory().createParser(characters(in));
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

  private static Reader characters(InputStream in) throws IOException {
    BufferedInputStream bytes = new BufferedInputStream(in);
    bytes.mark(BYTE_ORDER_MARK.length);
    if (!Arrays.equals(bytes.readNBytes(BYTE_ORDER_MARK.length), BYTE_ORDER_MARK)) {
      bytes.reset();
    }
    return new InputStreamReader(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Whether there was one. */
  private boolean readRow() throws IOException, BadRecordException {
    try {
      do {
        cells.clear();
        if (parser.nextToken() != JsonToken.START_ARRAY) {
          return false;
        }
        line = parser.currentLocation().getLineNr();
        while (parser.nextToken() == JsonToken.VALUE_STRING) {
          cells.add(parser.getText());
        }
      } while (cells.size() == 1 && isBlank(cells.get(0)));
    } catch (JsonProcessingException e) {
      // Where the next row begins cannot be known.
      throw new BadRecordException(line, "malformed CSV: " + e.getOriginalMessage(), false);
    }
    // After the whole row, so that the next call reads the next one.
    for (int i = 0; i < cells.size(); i++) {
      cells.set(i, decoded(cells.get(i), i + 1));
    }
    return true;
  }

  private static boolean isBlank(String cell) {
    return cell.chars().allMatch(character -> character == ' ');
  }

  private String decoded(String cell, int column) throws BadRecordException {
    if (isAscii(cell)) {
      return cell;
    }
    ByteBuffer bytes = StandardCharsets.ISO_8859_1.encode(cell);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(bytes).toString();
    } catch (CharacterCodingException e) {
      throw new BadRecordException(line, "column " + column + " is not UTF-8", true);
    }
  }

  private static boolean isAscii(String cell) {
    for (int i = 0; i < cell.length(); i++) {
      if (cell.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }
}
