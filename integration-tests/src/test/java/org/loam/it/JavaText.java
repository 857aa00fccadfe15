package org.loam.it;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads just enough Java to count the lines of a method and the components of a record: comments,
 * literals, braces and parentheses.
 */
final class JavaText {
  /** Possessive throughout: other repetitions of groups take stack for each character. */
  private static final Pattern NOT_CODE =
      Pattern.compile(
          "/\\*(?s:.*?)\\*/"
              + "|//[^\n]*"
              + "|\"\"\"(?s:[^\\\\\"]++|\\\\.|\"(?!\"\"))*+\"\"\""
              + "|\"(?:[^\"\\\\\n]++|\\\\.)*+\""
              + "|'(?:[^'\\\\\n]++|\\\\.)*+'");

  private static final Pattern TYPE =
      Pattern.compile("(?s).*\\b(class|interface|enum|record)\\s+\\w+.*");
  private static final Pattern RECORD =
      Pattern.compile("\\brecord\\s+(\\w+)\\s*(?:<[^(]*>)?\\s*\\(");
  private static final Pattern ENUM_CONSTANT =
      Pattern.compile("(?s)\\s*,?\\s*[A-Z][A-Z0-9_]*\\s*(\\(.*\\))?\\s*");
  private static final Pattern ANONYMOUS = Pattern.compile("(?s).*\\bnew\\b[^;{}]*\\)\\s*");
  private static final Pattern VALUE = Pattern.compile("(?s).*(=|]|\\(|,|->)\\s*");

  private JavaText() {}

  /** A method, constructor or initialiser: its first line (1-based) and how many it spans. */
  record Method(int firstLine, int lineCount) {}

  /** A record: its name and how many components it has. */
  record Components(String recordName, int count) {}

  private record Block(boolean isType, boolean isMethod, int firstLine) {}

  /** Comments and literals blanked; every line stays where it was. */
  static String withoutCommentsAndLiterals(String text) {
    return NOT_CODE.matcher(text).replaceAll(m -> m.group().replaceAll("[^\n]", " "));
  }

  /** The records that a file declares, in order. */
  static List<Components> records(String text) {
    String code = withoutCommentsAndLiterals(text);
    List<Components> records = new ArrayList<>();
    Matcher header = RECORD.matcher(code);
    while (header.find()) {
      records.add(new Components(header.group(1), components(code, header.end())));
    }
    return records;
  }

  /** Counts what commas part, from behind a parenthesis to the one that closes it. */
  private static int components(String code, int start) {
    int commas = 0;
    int depth = 1;
    int i = start;
    for (; depth > 0; i++) {
      switch (code.charAt(i)) {
        case '(', '<' -> depth++;
        case ')', '>' -> depth--;
        case ',' -> commas += depth == 1 ? 1 : 0;
        default -> {}
      }
    }
    return code.substring(start, i - 1).isBlank() ? 0 : commas + 1;
  }

  /** All comments, one after the other. */
  static String comments(String text) {
    return matches(text, "/");
  }

  /** All strings, one after the other; those that are added up are one. */
  static String strings(String text) {
    return matches(text.replaceAll("\"\\s*\\+\\s*\"", ""), "\"");
  }

  private static String matches(String text, String start) {
    return NOT_CODE
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .filter(found -> found.startsWith(start))
        .collect(Collectors.joining("\n"));
  }

  static List<Method> methods(String text) {
    String code = withoutCommentsAndLiterals(text);
    List<Method> methods = new ArrayList<>();
    Deque<Block> open = new ArrayDeque<>();
    int line = 1;
    int headerStart = 0;
    for (int i = 0; i < code.length(); i++) {
      switch (code.charAt(i)) {
        case '\n' -> line++;
        case ';' -> headerStart = i + 1;
        case '{' -> {
          open.push(block(code.substring(headerStart, i), line, open));
          headerStart = i + 1;
        }
        case '}' -> {
          Block closed = open.pop();
          if (closed.isMethod()) {
            methods.add(new Method(closed.firstLine(), line - closed.firstLine() + 1));
          }
          headerStart = i + 1;
        }
        default -> {}
      }
    }
    return methods;
  }

  private static Block block(String header, int line, Deque<Block> open) {
    boolean insideType = !open.isEmpty() && open.peek().isType();
    boolean type =
        TYPE.matcher(header).matches()
            || ANONYMOUS.matcher(header).matches()
            || (insideType && ENUM_CONSTANT.matcher(header).matches());
    boolean value = VALUE.matcher(header).matches();
    int firstLine = line - (int) header.stripLeading().chars().filter(c -> c == '\n').count();
    return new Block(type, insideType && !type && !value, firstLine);
  }
}
