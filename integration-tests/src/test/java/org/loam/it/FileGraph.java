package org.loam.it;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.loam.it.SourceTree.Source;

/**
 * Which Java file knows which other one: the files that its imports name, those that it names in
 * full, and those of its own package whose type it names. What only a comment or a literal names
 * does not count, except that an import counts whatever it is for. A name of the own package that
 * an import or a nested type hides does not count either.
 */
final class FileGraph {
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
  private static final Pattern IMPORT =
      Pattern.compile("(?m)^import (?:static )?([\\w.]+?)(?:\\.\\*)?;");
  private static final Pattern QUALIFIED = Pattern.compile("\\borg\\.loam\\.[\\w.]+");
  private static final Pattern TYPE_NAME = Pattern.compile("\\b[A-Z]\\w*");
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|enum|record)\\s+([A-Z]\\w*)");
  private static final Pattern PERMITS = Pattern.compile("\\bpermits\\b[^{]*");

  private final Map<String, Set<String>> uses = new TreeMap<>();

  /** The graph of files; a file is named like its outermost type, in full. */
  static FileGraph of(Collection<Source> sources) {
    return new FileGraph(sources, false);
  }

  /** The same graph, but a sealed type does not know its cases by naming them. */
  static FileGraph withoutPermits(Collection<Source> sources) {
    return new FileGraph(sources, true);
  }

  private FileGraph(Collection<Source> sources, boolean withoutPermits) {
    Map<String, String> code = new TreeMap<>();
    for (Source source : sources) {
      if (!source.fileName().equals("package-info.java")) {
        String text = JavaText.withoutCommentsAndLiterals(source.text());
        String simple = source.fileName().replace(".java", "");
        code.put(
            first(PACKAGE, text) + "." + simple,
            withoutPermits ? PERMITS.matcher(text).replaceAll("") : text);
      }
    }
    code.forEach((file, text) -> uses.put(file, usesOf(file, text, code.keySet())));
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.find()) {
      throw new AssertionError("no " + pattern + " in " + text.lines().findFirst());
    }
    return matcher.group(1);
  }

  private static Set<String> usesOf(String file, String text, Set<String> files) {
    Set<String> used = new TreeSet<>();
    Set<String> hidden = all(DECLARED, text);
    for (String name : all(IMPORT, text)) {
      hidden.add(name.substring(name.lastIndexOf('.') + 1));
      addFileOf(name, files, used);
    }
    String body = text.replaceAll("(?m)^(?:import|package) .*$", "");
    all(QUALIFIED, body).forEach(name -> addFileOf(name, files, used));
    String ownPackage = file.substring(0, file.lastIndexOf('.') + 1);
    for (String name : all(TYPE_NAME, QUALIFIED.matcher(body).replaceAll(" "))) {
      if (!hidden.contains(name) && files.contains(ownPackage + name)) {
        used.add(ownPackage + name);
      }
    }
    used.remove(file);
    return used;
  }

  private static Set<String> all(Pattern pattern, String text) {
    Set<String> found = new HashSet<>();
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      found.add(matcher.group(matcher.groupCount()));
    }
    return found;
  }

  /** Adds the file of a type, of a nested one, or of a member. */
  private static void addFileOf(String name, Set<String> files, Set<String> used) {
    for (String at = name; at.contains("."); at = at.substring(0, at.lastIndexOf('.'))) {
      if (files.contains(at)) {
        used.add(at);
        return;
      }
    }
  }

  /** A file, and everything that it knows directly or through others. */
  Set<String> closure(String file) {
    if (!uses.containsKey(file)) {
      throw new AssertionError("there is no file of " + file);
    }
    Set<String> seen = new TreeSet<>(Set.of(file));
    Deque<String> open = new ArrayDeque<>(seen);
    while (!open.isEmpty()) {
      for (String next : uses.getOrDefault(open.pop(), Set.of())) {
        if (seen.add(next)) {
          open.push(next);
        }
      }
    }
    return seen;
  }

  /** The most files that know each other, directly or through others; empty if none do. */
  Set<String> largestCycle() {
    Map<String, Set<String>> closures = new HashMap<>();
    uses.keySet().forEach(file -> closures.put(file, closure(file)));
    Set<String> largest = Set.of();
    for (String file : uses.keySet()) {
      List<String> cycle = new ArrayList<>();
      for (String other : closures.getOrDefault(file, Set.of())) {
        if (closures.getOrDefault(other, Set.of()).contains(file)) {
          cycle.add(other);
        }
      }
      if (cycle.size() > Math.max(1, largest.size())) {
        largest = new TreeSet<>(cycle);
      }
    }
    return largest;
  }
}
