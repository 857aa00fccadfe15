package org.loam.tuner.cost;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.loam.common.config.Units;
import org.loam.common.script.Script.Command;

/**
 * A sample as scripts write it. What a line leaves out has a plain default.
 *
 * <pre>
 *  sample ops=1000 total=1GiB write=256MiB ghost=64MiB page=16KiB grown=1MiB log=1GiB
 *    tree 1 entries=100 memory=1MiB log=0 merged=10MiB last=2GiB levels=2 share=0.5 grown=0
 *    reads QUERY pins=1000 missed=100 requests=100 saved=10
 *    misses 0=1 256MiB=0.5
 *    rewrites 0=1 256MiB=0.5
 *    rereads 0.1 0=1 256MiB=0.5
 *    spared 0.2 0=1 256MiB=0.5
 *    times misses=0 merge-reads=0 written=0 writes=0 elapsed=0 busy=0 work=0 beside=0
 *      beside-nanos=0
 * </pre>
 */
public final class SampleText {
  private SampleText() {}

  /** Reads the sample of a command and its lines. */
  public static CycleSample parse(Command command) {
    List<TreeSample> trees = new ArrayList<>();
    Map<ReadClass, ReadSample> reads = new EnumMap<>(ReadClass.class);
    MissCurve misses = MissCurve.UNKNOWN;
    Rewrites rewrites = Rewrites.UNKNOWN;
    CycleTimes times = CycleTimes.NONE;
    for (String text : command.lines()) {
      List<String> words = List.of(text.split(" +", -1));
      Command line = new Command(words.get(0), words.subList(1, words.size()), List.of());
      switch (line.verb()) {
        case "tree" -> trees.add(tree(line));
        case "reads" -> reads.put(ReadClass.valueOf(line.options().get(0)), reads(line));
        case "misses" -> misses = curve(line);
        case "rewrites" ->
            rewrites = new Rewrites(curve(line), rewrites.missed(), rewrites.spared());
        case "rereads" -> rewrites = new Rewrites(rewrites.flushed(), rereads(line), rereads(line));
        case "spared" ->
            rewrites = new Rewrites(rewrites.flushed(), rewrites.missed(), rereads(line));
        case "times" -> times = times(line);
        default -> throw line.unknown();
      }
    }
    return new CycleSample(
        command.number("ops", 1000),
        trees,
        reads,
        new MemorySample(
            bytes(command, "total", "1GiB"),
            bytes(command, "write", "256MiB"),
            bytes(command, "ghost", "64MiB"),
            (int) bytes(command, "page", "16KiB")),
        new LogSample(bytes(command, "grown", "1MiB"), bytes(command, "log", "1GiB")),
        new Curves(misses, rewrites),
        times);
  }

  /** A size among the options. */
  public static long bytes(Command command, String name, String otherwise) {
    return Units.parseBytes(command.option(name, otherwise));
  }

  /** A number with five digits that count. */
  public static String shown(double value) {
    return value == 0 ? "0" : String.format(Locale.ROOT, "%.4e", value);
  }

  private static TreeSample tree(Command line) {
    return new TreeSample(
        Integer.parseInt(line.options().get(0)),
        new TreeSample.Written(line.number("entries", 0), bytes(line, "bytes", "0")),
        new TreeSample.Flushed(bytes(line, "memory", "0"), bytes(line, "log", "0")),
        bytes(line, "merged", "0"),
        levels(line),
        new TreeSample.Held(
            Double.parseDouble(line.option("share", "1")), bytes(line, "grown", "0")));
  }

  /** The levels of a tree, by default one, and the numbers that size them. */
  static TreeSample.Levels levels(Command line) {
    return new TreeSample.Levels(
        bytes(line, "last", "0"),
        line.number("levels", 1),
        line.number("T", 10),
        line.number("l0", 4),
        line.number("depth", line.number("l0", 4)),
        bytes(line, "sized-for", "0"),
        new TreeSample.Growth(
            bytes(line, "l0-grown", "0") - bytes(line, "l0-shrunk", "0"),
            bytes(line, "upper-grown", "0") - bytes(line, "upper-shrunk", "0"),
            bytes(line, "last-grown", "0") - bytes(line, "last-shrunk", "0")));
  }

  private static ReadSample reads(Command line) {
    int missed = line.number("missed", 0);
    return new ReadSample(
        line.number("pins", missed),
        missed,
        line.number("requests", missed),
        line.number("saved", 0));
  }

  /** In nanoseconds. */
  private static CycleTimes times(Command line) {
    return new CycleTimes(
        line.number("misses", 0),
        line.number("merge-reads", 0),
        bytes(line, "written", "0"),
        line.number("writes", 0),
        new ProcessorTimes(
            line.number("elapsed", 0), line.number("busy", 0), line.number("work", 0)),
        new CycleTimes.Beside(line.number("beside", 0), line.number("beside-nanos", 0)));
  }

  /** Of an entry, and how many are left with write memory of each size. */
  private static Rereads rereads(Command line) {
    List<String> words = line.options();
    Command left = new Command(line.verb(), words.subList(1, words.size()), List.of());
    return new Rereads(Double.parseDouble(words.get(0)), curve(left));
  }

  private static MissCurve curve(Command line) {
    double[] sizes = new double[line.options().size()];
    double[] ratios = new double[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      String[] point = line.options().get(i).split("=", 2);
      sizes[i] = Units.parseBytes(point[0]);
      ratios[i] = Double.parseDouble(point[1]);
    }
    return MissCurve.of(sizes, ratios);
  }
}
