"use strict";
(() => {
  // Colours of Okabe and Ito, which readers who see fewer colours can tell apart.
  const COLOURS =
    ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#7A5C00", "#555555"];
  const MOVE = "#B3261E";
  const MIB = 1 << 20;
  const MOST_POINTS = 7200, MOST_DECISIONS = 2000, SHOWN_DECISIONS = 100;
  const SPANS = { "5 minutes": 300, "30 minutes": 1800, "all": Infinity };
  const PAST = { MERGE: "merge, past the cache", LARGE_VALUE: "large values, past the cache" };
  const ACCESSES = ["QUERY", "FILTER", "META", "MERGE", "LARGE_VALUE"];

  const byId = (id) => document.getElementById(id);
  const trim = (v) => v === 0 ? "0" : Math.abs(v) >= 100
    ? Math.round(v).toLocaleString("en-US") : String(Number(v.toPrecision(3)));
  const mib = (v) => trim(v / MIB) + " MiB";
  const micros = (v) => v >= 1e6 ? trim(v / 1e6) + " s" : v >= 1e3 ? trim(v / 1e3) + " ms"
    : trim(v) + " µs";
  const cost = (decision, v) => decision.unit === "PAGES" ? trim(v) + " pages" : micros(v / 1e3);

  function clock(seconds) {
    const s = Math.floor(seconds), two = (n) => String(n).padStart(2, "0");
    return s < 3600 ? Math.floor(s / 60) + ":" + two(s % 60)
      : Math.floor(s / 3600) + ":" + two(Math.floor(s / 60) % 60) + ":" + two(s % 60);
  }

  // ---- What has come.

  let state = { kind: "" };
  let points = [];
  let decisions = [];
  let lastNews = Date.now();
  let span = 0;

  /** The points of the chosen span. */
  function shownPoints() {
    const last = points.length === 0 ? 0 : points[points.length - 1].at;
    return points.filter((p) => p.at >= last - span);
  }

  /** The names of series that begin so, in any of the points, without what they begin with. */
  function names(shown, prefix) {
    const found = new Set();
    for (const point of shown) {
      for (const name in point.series) {
        if (name.startsWith(prefix)) found.add(name.slice(prefix.length));
      }
    }
    return [...found].sort(new Intl.Collator("en", { numeric: true }).compare);
  }

  // ---- What is drawn.

  const series = (name) => (s) => s[name];
  const line = (name, of, more) => ({ name, of: typeof of === "string" ? series(of) : of, ...more });
  const plain = { unit: 1, shown: trim };
  const bytes = { unit: MIB, shown: (v) => trim(v) + " MiB" };
  const bytesPerSecond = { unit: MIB, shown: (v) => trim(v) + " MiB/s" };
  const perSecond = { unit: 1, shown: (v) => trim(v) + "/s" };
  const percent = { unit: 1, shown: (v) => trim(v) + " %", most: 100 };
  const millis = { unit: 1, shown: (v) => trim(v) + " ms/s" };
  const latency = { unit: 1, shown: micros, log: true };

  const total = (s) => s.writeBytes == null || s.cacheBytes == null ? null
    : s.writeBytes + s.cacheBytes;

  function hitPercent(access) {
    return (s) => {
      const hits = s["hits." + access], all = hits + s["misses." + access];
      return all > 0 ? 100 * hits / all : null;
    };
  }

  /** Of those that have something other than zero, or else one line at zero. */
  function nonZero(shown, prefix, known, make) {
    const used = known.filter((n) => shown.some((p) => p.series[prefix + n] > 0));
    const any = known.find((n) => shown.some((p) => p.series[prefix + n] != null));
    return used.length > 0 ? used.map(make) : any == null ? [] : [line("none", prefix + any)];
  }

  const steps = uPlot.paths.stepped({ align: 1 });

  const CHARTS = [
    { title: "Memory", wide: true, axis: bytes, marks: true,
      about: "How memory is divided. A red line is a decision that moved memory; point at it to"
        + " read why. A grey mark is a cycle after which memory stayed.",
      lines: () => [
        line("buffer cache, above write memory", total, { colour: "#E69F00", fill: "#E69F0033",
          value: (s) => s.cacheBytes }),
        line("write memory", "writeBytes", { colour: "#0072B2", fill: "#0072B255", paths: steps }),
        line("its target", "targetBytes", { colour: "#0072B2", dash: [6, 4], paths: steps }),
        line("used by writes", "writeUsedBytes", { colour: "#003F63", thin: true }) ] },
    { title: "Cache hits", axis: percent, about: "Share of pages found in the cache, by class.",
      lines: (shown) => ACCESSES.filter((a) => shown.some((p) => p.series["hits." + a] > 0))
        .map((a) => line(a.toLowerCase(), hitPercent(a))) },
    { title: "Misses and ghost hits", axis: perSecond,
      about: "Pages read, and (dashed) those of them that a larger cache would have had.",
      lines: (shown) => {
        const used = ACCESSES.map((a, i) => [a, COLOURS[i]])
          .filter(([a]) => shown.some((p) => p.series["misses." + a] > 0));
        return used.flatMap(([a, colour]) => [
          line(PAST[a] ?? a.toLowerCase() + " missed", "misses." + a, { colour }),
          ...shown.some((p) => p.series["ghost." + a] > 0)
            ? [line(a.toLowerCase() + " ghost", "ghost." + a, { colour, dash: [6, 4] })] : [] ]);
      } },
    { title: "Write memory by tree", axis: bytes, about: "Memory components of the largest trees.",
      lines: (shown) => names(shown, "memory.").map((t) => line(t, "memory." + t)) },
    { title: "L0 depth", axis: plain,
      about: "The most tables of L0 that may hold one key, in the deepest trees.",
      lines: (shown) => names(shown, "depth.").map((t) => line(t, "depth." + t)) },
    { title: "Bytes written", axis: bytesPerSecond, about: "By flushes, merges, loads and the log.",
      lines: (shown) => [ line("merged", "mergedBytes"), line("flushed", "flushedBytes"),
        line("logged", "loggedBytes") ].concat(
          shown.some((p) => p.series.loadedBytes > 0) ? [line("loaded", "loadedBytes")] : []) },
    { title: "Flushes and merges", axis: plain,
      about: "Installed in a second, and merges that are open.",
      lines: () => [ line("merges", "merges"), line("flushes", "flushes"),
        line("open merges", "openMerges", { thin: true, dash: [6, 4] }) ] },
    { title: "Stalls", axis: millis,
      about: "Time that writers waited in a second, all of them together, by cause.",
      lines: (shown) => nonZero(shown, "stall.", names(shown, "stall."),
        (cause) => line(cause.toLowerCase().replaceAll("_", " "), "stall." + cause)) },
    { title: "Read latency", axis: latency, about: "Reads of a key. About one in sixty is measured.",
      lines: () => latencies("read") },
    { title: "Write latency", axis: latency, about: "Writes with all waits. About one in sixty is measured.",
      lines: () => latencies("write") },
  ];

  const latencies = (what) => [ line("longest", what + "Max", { colour: COLOURS[1], thin: true }),
    line("p99", what + "P99", { colour: COLOURS[0] }),
    line("p50", what + "P50", { colour: COLOURS[2] }) ];

  /** Of the lines of a log scale, those at powers of ten. */
  const decades = (u, splits) =>
    splits.map((v) => v > 0 && Math.abs(Math.log10(v) % 1) < 1e-9 ? v : null);

  class Chart {
    constructor(spec) {
      this.spec = spec;
      this.box = element("div", "chart");
      this.box.dataset.title = spec.title;
      this.box.dataset.points = 0;
      this.legend = element("div", "legend");
      this.empty = element("p", "", "Nothing yet.");
      this.box.append(element("h3", "", spec.title), element("p", "", spec.about), this.legend,
        this.empty);
      byId(spec.wide ? "wide" : "charts").append(this.box);
    }

    height() { return this.spec.wide ? 300 : 230; }

    draw(shown) {
      const { spec } = this;
      const lines = [];
      const columns = [shown.map((p) => p.at)];
      let known = 0;
      for (const made of spec.lines(shown)) {
        const values = shown.map((p) => {
          const v = made.of(p.series);
          return v == null || Number.isNaN(v) || (spec.axis.log && v <= 0) ? null : v / spec.axis.unit;
        });
        const count = values.filter((v) => v != null).length;
        if (count === 0) continue;
        known += count;
        const colour = made.colour ?? COLOURS[lines.length % COLOURS.length];
        lines.push({ ...made, colour, dash: made.dash ?? (lines.length < COLOURS.length ? [] : [3, 3]) });
        columns.push(values);
      }
      this.box.dataset.points = known;
      this.empty.hidden = known > 0;
      this.box.hidden = known === 0 && state.kind === "HISTORY";
      const key = lines.map((l) => l.name).join("\n");
      if (known === 0 || key !== this.key) {
        this.plot?.destroy();
        this.plot = null;
        this.key = key;
        this.legend.replaceChildren();
      }
      if (known === 0) return;
      if (!this.plot) this.begin(lines, columns);
      else this.plot.setData(columns);
      this.values(lines, shown);
    }

    begin(lines, columns) {
      const { spec } = this;
      for (const made of lines) {
        const item = element("span");
        item.innerHTML = '<svg width="26" height="10"><line x1="0" y1="5" x2="26" y2="5" stroke="'
          + made.colour + '" stroke-width="' + (made.fill ? 6 : made.thin ? 1.5 : 2.25)
          + '" stroke-dasharray="' + made.dash.join(" ") + '"/></svg>';
        item.append(made.name, element("b"));
        this.legend.append(item);
      }
      const grid = { stroke: "#e8e8e8", width: 1 };
      this.plot = new uPlot({
        width: this.box.clientWidth - 18,
        height: this.height(),
        cursor: { drag: { x: false, y: false } },
        scales: {
          x: { time: false },
          y: spec.axis.log ? { distr: 3 }
            : { range: (u, low, high) => [0, spec.axis.most ?? (high > 0 ? high * 1.08 : 1)] },
        },
        axes: [
          { size: 30, grid, space: 70, incrs: [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
            3600, 7200, 14400, 43200, 86400], values: (u, splits) => splits.map(clock) },
          { size: 78, grid: spec.axis.log ? { ...grid, filter: decades } : grid,
            ticks: spec.axis.log ? { filter: decades } : {},
            values: (u, splits) => splits.map((v) => v == null ? "" : spec.axis.shown(v)) },
        ],
        series: [{}].concat(lines.map((made) => ({
          label: made.name,
          stroke: made.colour,
          fill: made.fill,
          paths: made.paths,
          width: made.thin ? 1 : 1.75,
          dash: made.dash,
          spanGaps: false,
          points: { show: (u) => u.data[0].length < 3, size: 5 },
        }))),
        hooks: spec.marks ? { draw: [marks], setCursor: [tip] } : {},
      }, columns, this.box);
    }

    /** The values of the last point, in the legend. */
    values(lines, shown) {
      const last = shown[shown.length - 1].series;
      [...this.legend.children].forEach((item, i) => {
        const v = (lines[i].value ?? lines[i].of)(last);
        item.lastChild.textContent = v == null || Number.isNaN(v) ? ""
          : this.spec.axis.shown(v / this.spec.axis.unit);
      });
    }

    resize() {
      this.plot?.setSize({ width: this.box.clientWidth - 18, height: this.height() });
    }
  }

  // ---- Decisions.

  const moved = (d) => d.toBytes !== d.fromBytes;

  function marks(u) {
    const { left, top, width, height } = u.bbox;
    u.ctx.save();
    u.ctx.setLineDash([]);
    for (const d of decisions) {
      const x = u.valToPos(d.at, "x", true);
      if (x < left || x > left + width) continue;
      u.ctx.beginPath();
      u.ctx.strokeStyle = moved(d) ? MOVE : "#999";
      u.ctx.lineWidth = moved(d) ? 1.25 : 1;
      u.ctx.moveTo(x, moved(d) ? top : top + height - 7);
      u.ctx.lineTo(x, top + height);
      u.ctx.stroke();
    }
    u.ctx.restore();
  }

  function tip(u) {
    const box = byId("tip");
    const x = u.cursor.left;
    let nearest = null;
    for (const d of decisions) {
      const far = Math.abs(u.valToPos(d.at, "x") - x);
      if (far < 8 && (nearest === null || far < nearest.far)) nearest = { d, far };
    }
    box.hidden = x == null || x < 0 || nearest === null;
    if (box.hidden) return;
    const { d } = nearest;
    box.textContent = "Cycle " + d.cycle + " at " + clock(d.at) + ": write memory of "
      + mib(d.fromBytes) + (moved(d) ? " becomes " + mib(d.toBytes) : " stays") + "; " + d.meaning + ".";
    const place = u.over.getBoundingClientRect();
    box.style.left = Math.min(place.left + x + 12, innerWidth - 360) + scrollX + "px";
    box.style.top = place.top + u.cursor.top + 12 + scrollY + "px";
  }

  function row(d) {
    const tr = element("tr", moved(d) ? "moved" : "");
    const gain = d.predictedGain > 0 && d.cost > 0 ? trim(100 * d.predictedGain / d.cost) + " %" : "–";
    let reason = d.origin === "UNDO" ? "undoes the last move; " + d.meaning : d.meaning;
    if (d.lastObserved != null) {
      reason += ". The last move was to save " + cost(d, Math.max(0, d.lastPredicted)) + " and "
        + (d.lastObserved >= 0 ? "saved " : "cost ") + cost(d, Math.abs(d.lastObserved));
    }
    const cells = [clock(d.at), d.cycle,
      moved(d) ? mib(d.fromBytes) + " → " + mib(d.toBytes) : "stays " + mib(d.fromBytes),
      mib(d.wantedBytes), cost(d, d.cost), gain, reason];
    for (const cell of cells) tr.append(element("td", "", cell));
    tr.lastChild.className = "reason";
    return tr;
  }

  // ---- The page.

  function element(kind, className, text) {
    const made = document.createElement(kind);
    if (className) made.className = className;
    if (text != null) made.textContent = text;
    return made;
  }

  function now() {
    const list = [];
    const last = points.length === 0 ? null : points[points.length - 1];
    if (last) {
      const s = last.series;
      list.push(["since the opening", clock(last.at)], ["write memory", mib(s.writeBytes)]);
      if (s.targetBytes != null && s.targetBytes !== s.writeBytes) list.push(["its target", mib(s.targetBytes)]);
      list.push(["buffer cache", mib(s.cacheBytes)]);
    }
    if (state.totalBytes) list.push(["all memory", mib(state.totalBytes)]);
    if (state.mode) list.push(["tuner", state.mode.toLowerCase()]);
    if (state.fence) list.push(["fenced", "takes no writes"]);
    byId("now").replaceChildren(...list.map(([term, value]) => {
      const pair = element("div");
      pair.append(element("dt", "", term), element("dd", "", value));
      return pair;
    }));
  }

  const charts = CHARTS.map((spec) => new Chart(spec));

  for (const [name, seconds] of Object.entries(SPANS)) {
    const button = element("button", "", name);
    button.onclick = () => { choose(seconds); draw(); };
    byId("spans").append(button);
  }

  function choose(seconds) {
    span = seconds;
    Object.values(SPANS).forEach((of, i) => {
      byId("spans").children[i].ariaPressed = String(of === seconds);
    });
  }

  choose(SPANS["30 minutes"]);

  function draw() {
    const shown = shownPoints();
    for (const chart of charts) chart.draw(shown);
    const last = decisions.slice(-SHOWN_DECISIONS).reverse();
    byId("decisions").replaceChildren(...last.map(row));
    byId("none").hidden = decisions.length > 0;
    now();
    document.body.dataset.points = points.length;
    document.body.dataset.decisions = decisions.length;
    document.body.dataset.kind = state.kind;
  }

  function tell() {
    const quiet = Math.round((Date.now() - lastNews) / 1000);
    const late = state.kind === "LIVE" && quiet > 5;
    const words = { LIVE: "live", HISTORY: "history", LOST: "out of reach" };
    byId("kind").className = "badge " + (late ? "LOST" : state.kind);
    byId("kind").textContent = late ? "no news for " + quiet + " s" : words[state.kind] ?? "connecting";
    byId("text").textContent = state.text ?? "";
    byId("title").textContent = state.title ?? "";
    document.title = state.title ? "Loam: " + state.title : "Loam";
  }

  let due = false;

  /** What comes together is drawn once. */
  function news() {
    lastNews = Date.now();
    if (due) return;
    due = true;
    setTimeout(() => { due = false; tell(); draw(); }, 50);
  }

  const events = new EventSource("events" + location.search);
  const on = (kind, take) => events.addEventListener(kind, (event) => {
    take(JSON.parse(event.data));
    news();
  });
  on("OPENING", () => { points = []; decisions = []; });
  on("STATE", (data) => {
    state = data;
    if (state.kind === "HISTORY") choose(Infinity);
  });
  on("POINT", (data) => { points.push(data); if (points.length > MOST_POINTS) points.shift(); });
  on("DECISION", (data) => {
    decisions.push(data);
    if (decisions.length > MOST_DECISIONS) decisions.shift();
  });
  events.onerror = () => {
    state = { ...state, kind: "LOST", text: events.readyState === EventSource.CLOSED
      ? "The dashboard refuses this page: it has too many, or the token is wrong."
      : "The dashboard does not answer. Its command may have ended." };
    tell();
  };
  setInterval(tell, 1000);
  addEventListener("resize", () => charts.forEach((chart) => chart.resize()));
})();
