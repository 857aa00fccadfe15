package org.loam.workbench.inspect;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.loam.common.env.real.RealEnv;
import org.loam.lsm.disk.SSTableDump;
import org.loam.lsm.disk.SSTableDump.Entry;
import org.loam.lsm.disk.SSTableDump.Facts;
import org.loam.lsm.disk.SSTableDump.Limits;
import org.loam.lsm.disk.SSTableDump.Page;
import org.loam.workbench.console.CommandException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code loam inspect sstable}: one file, page by page. */
@Command(
    name = "sstable",
    description = "Reads a whole SSTable, checks each page, and shows the properties of the file.",
    footer = {
      "  loam inspect sstable data/00000007.sst",
      "  loam inspect sstable data/00000007.sst --pages",
      "  loam inspect sstable data/00000007.sst --entries --limit 1000 --json"
    })
final class InspectSSTableCommand implements Callable<Integer> {
  @Mixin private DumpOptions report = new DumpOptions();

  @Parameters(
      paramLabel = "FILE",
      description = "The file. It is in the directory data of a database.")
  private Path file = Path.of("");

  @Option(names = "--pages", description = "Also list the pages.")
  private boolean pages;

  @Option(names = "--entries", description = "Also list the entries.")
  private boolean entries;

  @Option(
      names = "--limit",
      paramLabel = "<n>",
      defaultValue = "100",
      description = "List at most this number of pages and of entries. Default: ${DEFAULT-VALUE}.")
  private long limit = 100;

  @Override
  public Integer call() {
    report.requireLimit(limit);
    var files = RealEnv.create().files();
    if (!files.exists(file) || Files.isDirectory(file)) {
      throw CommandException.usage(
          file
              + (files.exists(file) ? " is a directory" : " is not there")
              + "; 'loam inspect manifest' lists the files of a database");
    }
    Limits limits = new Limits(pages ? limit : 0, entries ? limit : 0);
    SSTableDump dump = SSTableDump.read(files, file, limits);
    return report.print(dump, dump.damage(), out -> print(dump, out));
  }

  private static void print(SSTableDump dump, PrintWriter out) {
    out.printf(Locale.ROOT, "%s: %,d bytes%n", dump.file(), dump.sizeBytes());
    Facts facts = dump.footer();
    if (facts != null) {
      print(facts, out);
      String counts =
          dump.pages().entrySet().stream()
              .map(e -> String.format(Locale.ROOT, "%,d %s", e.getValue(), e.getKey()))
              .collect(Collectors.joining(", "));
      out.println("pages: " + counts);
    }
    dump.pageList().forEach(page -> print(page, out));
    dump.entries().forEach(entry -> print(entry, out));
    long more = dump.damageCount() - dump.damage().size();
    if (more > 0) {
      out.printf(
          Locale.ROOT, "damaged places: %,d, of which the first follow%n", dump.damageCount());
    }
  }

  private static void print(Facts facts, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "file id %d, salt %s, checksum %s, %,d pages of %,d bytes%n",
        facts.file().fileId(),
        facts.file().salt(),
        facts.file().checksum(),
        facts.file().pageCount(),
        facts.file().pageBytes());
    out.printf(
        Locale.ROOT,
        "entries: %,d, of them %,d anti-matter, of %,d keys%s; LSN %d to %d%s%n",
        facts.counts().entries(),
        facts.counts().antiMatter(),
        facts.counts().keys(),
        facts.lsns().severalVersions() ? " in several versions" : "",
        facts.lsns().minLsn(),
        facts.lsns().maxLsn(),
        facts.lsns().keepsLsns() ? ", each its own" : "");
    out.printf(
        Locale.ROOT,
        "keys: %s to %s, the longest has %,d bytes%n",
        facts.keys().minKey(),
        facts.keys().maxKey(),
        facts.keys().longestKeyBytes());
    out.printf(
        Locale.ROOT,
        "filter: %s; index: %d levels, root page %d%n",
        facts.filter().filterPages() == 0
            ? "none"
            : String.format(
                Locale.ROOT,
                "%,d pages, %d probes, %.1f bits for a key",
                facts.filter().filterPages(),
                facts.filter().filterProbes(),
                facts.filter().filterBitsPerKey()),
        facts.index().indexLevels(),
        facts.index().rootPage());
  }

  private static void print(Page page, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "page %d: %s, %d entries, prefix of %d bytes, %d bytes free, LSN up to %d%s%n",
        page.number(),
        page.type(),
        page.entries(),
        page.prefixBytes(),
        page.freeBytes(),
        page.maxLsn(),
        page.firstKey() == null ? "" : ", from " + page.firstKey());
  }

  private static void print(Entry entry, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%s: %s, LSN %d, %,d bytes, page %d%s%s%n",
        entry.key(),
        entry.kind(),
        entry.lsn(),
        entry.valueBytes(),
        entry.page(),
        entry.overflowPage() == null ? "" : ", value from page " + entry.overflowPage(),
        entry.olderVersion() ? ", an older version" : "");
  }
}
