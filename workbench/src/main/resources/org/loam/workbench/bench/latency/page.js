"use strict";
(() => {
  const report = JSON.parse(document.getElementById("data").textContent);

  // Colours of Okabe and Ito, which readers who see fewer colours can tell apart. An engine has a
  // colour; what is shown of it has a dash.
  const COLOURS = ["#0072B2", "#D55E00", "#009E73"];
  const DASHES = [[], [7, 4], [2, 3], [10, 3, 2, 3], [4, 4], [12, 5]];
  const MIB = 1 << 20;

  const byId = (id) => document.getElementById(id);
  const text = (id, value) => { byId(id).textContent = value; };
  const number = (value, digits) => value.toLocaleString("en-US",
    { minimumFractionDigits: digits, maximumFractionDigits: digits });

  function micros(value) {
    if (value >= 1e6) return trim(value / 1e6) + " s";
    if (value >= 1e3) return trim(value / 1e3) + " ms";
    return trim(value) + " µs";
  }

  const trim = (value) => String(Number(value.toPrecision(3)));

  function head() {
    const s = report.settings;
    const m = report.machine;
    text("command", report.origin.command);
    text("origin", report.origin.date + ", commit " + (report.origin.commit ?? "unknown") + "; "
      + m.processor + ", " + m.processors + " processors, " + Math.round(m.memoryBytes / MIB / 1024)
      + " GiB, " + m.fileSystem + ", " + m.system + ", Java " + m.java);
    text("about", s.traffic.workload.toLowerCase().replace("_", "-")
      + (s.traffic.zipf == null ? ", " : " by zipf " + s.traffic.zipf + ", ")
      + (s.traffic.hotspot == null ? "" : "trees " + s.traffic.hotspot.operationsPercent + "-"
        + s.traffic.hotspot.treesPercent + ", ")
      + s.traffic.arrivals.toLowerCase() + " arrivals at "
      + (s.traffic.offeredPerSecond == null ? s.traffic.load + " of the maximum, "
        : number(s.traffic.offeredPerSecond, 0) + " a second, ") + s.traffic.threads + " clients; " + number(s.data.records, 0)
      + " records with values of " + s.data.valueBytes + " bytes in " + s.trees.count
      + (s.trees.count === 1 ? " tree" : " trees")
      + (s.trees.indexes === 0 ? "" : " with " + s.trees.indexes + " indexes each") + ", " + s.data.memoryBytes / MIB
      + " MiB of memory, durability " + s.durability.toLowerCase()
      + "; phases of " + s.phases.millis / 1000 + " s, seed " + s.seed
      + ". Times on the axes are seconds since the phase began.");
    for (const note of report.notes) {
      const item = document.createElement("li");
      item.textContent = note;
      byId("notes").append(item);
    }
  }

  /** Of a figure of a paper: what it claims, and what came out. */
  function claims() {
    const figure = report.figure;
    if (!figure) return;
    document.title = figure.id;
    document.querySelector("h1").textContent = figure.title;
    const box = byId("claims");
    box.append(element("p", "Paper: " + figure.paper), element("p", "Here: " + figure.compared),
      element("p", "Scale: " + figure.scale));
    for (const series of figure.leftOut) {
      box.append(element("p", "Left out: " + series.series + ". " + series.reason));
    }
    const table = document.createElement("table");
    for (const verdict of report.verdicts) {
      const row = document.createElement("tr");
      const mark = element("td", verdict.passed ? "PASS" : "FAIL");
      mark.className = verdict.passed ? "pass" : "fail";
      row.append(mark, element("td", verdict.claim.text), element("td", verdict.claim.check),
        element("td", measured(verdict, verdict.left) + " against "
          + measured(verdict, verdict.right)));
      table.append(row);
    }
    box.append(table);
  }

  /** A number of a check, whose name ends in its unit. */
  function measured(verdict, value) {
    if (value === null) return "not measured";
    if (/Micros\b/.test(verdict.claim.check)) return micros(value);
    if (/Millis\b/.test(verdict.claim.check)) return micros(1000 * value);
    return trim(value);
  }

  /** Medians of all rounds, and behind them the least and the most if there were several. */
  function summary() {
    const table = byId("summary");
    const engines = Object.keys(report.numbers);
    const compared = engines.includes("loam") && engines.includes("rocksdb");
    const ranges = report.rounds.some((r) => r.round > 1);
    row("th", ["", ...engines, ...(compared ? ["ratio"] : [])]);
    const figure = (title, name, shown, part) => {
      const values = engines.map((engine) => report.numbers[engine][name]);
      if (values.every((v) => v == null)) return;
      const cells = values.map((v) => v == null ? "–" : shown(v.median)
        + (ranges ? " (" + shown(v.least) + " to " + shown(v.most) + ")" : ""));
      if (compared) {
        const ours = report.numbers.loam[name], theirs = report.numbers.rocksdb[name];
        cells.push(ours && theirs?.median ? trim(ours.median / theirs.median) : "–");
      }
      row("td", [title, ...cells], part);
    };
    const whole = (v) => number(v, 0);
    const mib = (v) => number(v / MIB, 0) + " MiB";
    const seconds = (v) => number(v, 1) + " s";
    figure("Testing phase, operations/s", "testedPerSecond", whole);
    figure("owed to merges at the start", "owedAtStartBytes", mib, true);
    figure("owed to merges at the end", "owedAtEndBytes", mib, true);
    figure("time to pay the difference", "paySeconds", seconds, true);
    figure("Maximum that leaves no debt, operations/s", "maxOpsPerSecond", whole);
    figure("Running phase, offered operations/s", "offeredPerSecond", whole);
    for (const [title, name] of [
      ["Write latency, from the intended arrival", "write"],
      ["Write processing, from when a client took it up", "writeProcessing"],
      ["Read latency", "read"]]) {
      figure(title + ": p50", name + "P50Micros", micros);
      figure("p99", name + "P99Micros", micros, true);
      figure("p99.9", name + "P999Micros", micros, true);
      figure("p99.99", name + "P9999Micros", micros, true);
      figure("longest", name + "MaxMicros", micros, true);
    }
    figure("Time that writers waited, all of them together", "stallMillis",
      (v) => seconds(v / 1000));
    figure("Variation of operations/s, of the mean", "throughputVariation", (v) => number(v, 3));
    figure("Depth of L0 in the deepest tree, mean", "l0DepthMean", (v) => number(v, 2));

    function row(kind, cells, part) {
      const tr = document.createElement("tr");
      for (const cell of cells) {
        const td = document.createElement(kind);
        td.textContent = cell;
        if (part) td.className = "part";
        tr.append(td);
      }
      table.append(tr);
    }
  }

  /** One chart: the lines of each engine that knows their columns; none if no engine does. */
  function chart(phase, title, about, axis, lines) {
    const tables = [];
    const series = [{}];
    let points = 0;
    report.results.forEach((result, engine) => {
      if (!result[phase]) return;
      const found = result[phase].series;
      const columns = [found.seconds];
      lines.forEach((line, number) => {
        const values = line.of(found.columns);
        if (!values) return;
        const shown = values.map((v) => v == null || (axis.log && v <= 0) ? null : v / axis.unit);
        const known = shown.filter((v) => v != null).length;
        if (known === 0) return;
        points += known;
        columns.push(shown);
        series.push({
          label: result.engine + " " + line.name,
          stroke: COLOURS[engine % COLOURS.length] + (line.shade ?? ""),
          width: line.thin ? 1 : 1.75,
          dash: line.shade ? [] : DASHES[number % DASHES.length],
          spanGaps: false,
          points: { show: false },
        });
      });
      if (columns.length > 1) tables.push(columns);
    });
    if (tables.length === 0) return;
    const data = tables.length === 1 ? tables[0] : uPlot.join(tables);
    const box = document.createElement("div");
    box.className = "chart";
    box.dataset.points = points;
    box.dataset.title = title;
    box.append(element("h3", title), element("p", about), legend(series.slice(1)));
    byId(phase).append(box);
    const grid = { stroke: "#e6e6e6", width: 1 };
    const plot = new uPlot({
      width: box.clientWidth - 16,
      height: 250,
      cursor: { drag: { x: true, y: false } },
      scales: {
        x: { time: false },
        y: axis.log
          ? { distr: 3 }
          : { range: (u, low, high) => [0, high > 0 ? high * 1.08 : 1] },
      },
      axes: [
        { label: "time, s", labelSize: 20, size: 34, grid },
        {
          label: axis.label,
          labelSize: 20,
          size: 72,
          grid: axis.log ? { ...grid, filter: decades } : grid,
          ticks: axis.log ? { filter: decades } : {},
          values: (u, splits) => splits.map((v) => v == null ? "" : axis.shown(v)),
        },
      ],
      series,
    }, data, box);
    addEventListener("resize", () => plot.setSize({ width: box.clientWidth - 16, height: 250 }));
  }

  /** Of the lines of a log scale, those at powers of ten. */
  function decades(u, splits) {
    return splits.map((v) => v > 0 && Math.abs(Math.log10(v) % 1) < 1e-9 ? v : null);
  }

  function element(kind, value) {
    const made = document.createElement(kind);
    made.textContent = value;
    return made;
  }

  function legend(series) {
    const box = document.createElement("div");
    box.className = "legend";
    for (const line of series) {
      const item = document.createElement("span");
      item.innerHTML = '<svg width="34" height="8"><line x1="0" y1="4" x2="34" y2="4" stroke="'
        + line.stroke + '" stroke-width="' + (line.width + 0.5) + '" stroke-dasharray="'
        + line.dash.join(" ") + '"/></svg>';
      item.append(line.label);
      box.append(item);
    }
    return box;
  }

  const column = (name) => (columns) => columns[name];
  const line = (name, of, thin) => ({ name, of: typeof of === "string" ? column(of) : of, thin });
  const plain = (label) => ({ label, unit: 1, shown: (v) => number(v, 0) });
  const small = (label) => ({ label, unit: 1, shown: (v) => trim(v) });
  const mib = (label) => ({ label, unit: MIB, shown: (v) => trim(v) });
  const log = { label: "latency, log scale", unit: 1, log: true, shown: micros };

  /** The columns that begin so, of any engine, without what they begin with and end with. */
  function names(phase, prefix) {
    const found = new Set();
    for (const result of report.results) {
      for (const [name, values] of Object.entries(result[phase]?.series.columns ?? {})) {
        if (name.startsWith(prefix) && values.some((v) => v)) {
          found.add(name.slice(prefix.length).replace(/PerSecond$/, ""));
        }
      }
    }
    return [...found].sort(new Intl.Collator("en", { numeric: true }).compare);
  }

  /** A line for each tree, paler with its number; one dash of six would stand for several. */
  function byTree(phase, prefix) {
    const trees = names(phase, prefix);
    return trees.map((tree, index) => ({
      ...line("tree " + tree, prefix + tree, true),
      shade: Math.round(255 - 190 * index / trees.length).toString(16),
    }));
  }

  function hitRatio(access) {
    return (columns) => {
      const hits = columns["hits." + access + "PerSecond"];
      const misses = columns["misses." + access + "PerSecond"];
      if (!hits || !misses) return null;
      return hits.map((h, i) => {
        const all = h == null || misses[i] == null ? 0 : h + misses[i];
        return all > 0 ? 100 * h / all : null;
      });
    };
  }

  function engineCharts(phase) {
    chart(phase, "L0 depth", "Most tables of L0 that hold one key (all files, for RocksDB).",
      small("tables"), report.settings.trees.count === 1
        ? [line("depth", "l0DepthMax")]
        : [line("deepest tree", "l0DepthMax"), line("all trees", "l0DepthSum", true)]);
    chart(phase, "Owed to merges", "Bytes of L0 and what levels have above their targets.",
      mib("MiB"), [line("owed", "owedBytes"), line("L0", "l0BytesSum"),
        line("open merges still have to read", "openMergeBytes", true)]);
    chart(phase, "Levels", "Size of the fullest level below L0, as a share of its target.",
      small("share of target"), [line("fullest level", "levelFullnessMax")]);
    chart(phase, "Open merges", "Merges that have begun and not ended.", small("merges"),
      [line("open", "openMerges")]);
    chart(phase, "L0 depth by tree", "Depth of L0 in each of the first trees.", small("tables"),
      byTree(phase, "l0Depth."));
    chart(phase, "L0 bytes by tree", "Bytes of L0 in each of the first trees.", mib("MiB"),
      byTree(phase, "l0Bytes."));
    chart(phase, "Write memory",
      "Memory components, what is neither overwritten nor unused in them, and what they may take.",
      mib("MiB"), [line("used", "writeMemoryUsedBytes"), line("live", "writeMemoryLiveBytes", true),
        line("target", "writeMemoryTargetBytes")]);
    chart(phase, "Stalls", "Time that writers waited in each second, all of them together, by cause.",
      plain("ms per second"), names(phase, "stallMillis.").map((cause) =>
        line(cause, "stallMillis." + cause + "PerSecond")));
    chart(phase, "Bytes written by the engine", "Flushes, merges and the log, as engines count.",
      mib("MiB per second"), [line("merged", "mergedBytesPerSecond"),
        line("flushed", "flushedBytesPerSecond"), line("logged", "loggedBytesPerSecond")]);
    chart(phase, "Bytes of process and device", "As the kernel counts; the device for all processes.",
      mib("MiB per second"), [line("written by the process", "processWrittenBytesPerSecond"),
        line("read by the process", "processReadBytesPerSecond"),
        line("written by the device", "deviceWrittenBytesPerSecond", true),
        line("read by the device", "deviceReadBytesPerSecond", true)]);
    chart(phase, "Cache hits", "Share of pages found in the cache, by class of access.",
      plain("% of pages"), names(phase, "hits.").map((access) =>
        line(access.toLowerCase(), hitRatio(access))));
    chart(phase, "Processor time", "Of the whole process, clients included.",
      small("processors"), [line("busy", "cpuSecondsPerSecond")]);
  }

  head();
  claims();
  summary();
  chart("running", "Throughput", "Operations that were due, and those that were done.",
    plain("operations per second"),
    [line("done", "donePerSecond"), line("offered", "offeredPerSecond", true)]);
  chart("running", "Write latency", "From the moment at which the write should have begun.", log,
    [line("p99", "writeP99Micros"), line("longest", "writeMaxMicros", true),
      line("p50", "writeP50Micros")]);
  chart("running", "Write processing", "From the moment at which a client took the write up.", log,
    [line("p99", "writeProcessingP99Micros"), line("longest", "writeProcessingMaxMicros", true),
      line("p50", "writeProcessingP50Micros")]);
  chart("running", "Read latency", "From the moment at which the read should have begun.", log,
    [line("p99", "readP99Micros"), line("longest", "readMaxMicros", true),
      line("p50", "readP50Micros")]);
  engineCharts("running");
  chart("testing", "Throughput", "Operations of clients that never pause.",
    plain("operations per second"), [line("done", "donePerSecond")]);
  chart("testing", "Write processing", "How long a client waited for its write.", log,
    [line("p99", "writeProcessingP99Micros"), line("longest", "writeProcessingMaxMicros", true),
      line("p50", "writeProcessingP50Micros")]);
  engineCharts("testing");
  document.body.dataset.drawn = "true";
})();
