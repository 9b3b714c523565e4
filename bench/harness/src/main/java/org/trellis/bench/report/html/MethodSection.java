package org.trellis.bench.report.html;

import java.util.List;
import java.util.Locale;
import org.trellis.bench.measure.Bandwidth;
import org.trellis.bench.measure.Machine;
import org.trellis.bench.measure.MeasureSettings;
import org.trellis.bench.report.MeasurementTable;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.RunReport;
import org.trellis.bench.text.Markup;

/** What was measured, how, and where. */
final class MethodSection {
    private static final String ACCEPTED = """
            A result is accepted if every element is within 2 (n + 1) u (|A||x|) of the reference, where n is \
            the number of entries in the row and u the unit roundoff; it is checked before and after the timing. \
            A contender that is wrong has no time and is listed as a failure.""";
    private static final String BANDWIDTHS = """
            The triad is a = b + s c on arrays of doubles, counted as 24 bytes an element; the read bandwidth is \
            a sum over an array; the peak is fused multiply-adds on data in the first-level cache. Each is the \
            best of ten repetitions in plain Java, before the products. Equations are those of I. Z. Reguly, PhD \
            thesis, 2014, section 4.5; s is 8 bytes in double and 4 in single precision.""";

    private final RunReport report;
    private final Markup out;

    MethodSection(RunReport report, Markup out) {
        this.report = report;
        this.out = out;
    }

    void write() {
        out.open("section").element("h2", "How it was measured");
        how();
        PageTable.meanings(MeasurementTable.of(List.of(), report::bandwidthShare), out);
        out.element("h3", "Where");
        where();
        out.close("section").line();
    }

    private void how() {
        MeasureSettings settings = report.settings();
        out.element("p", String.format(Locale.ROOT, """
                Every contender has a matrix, x and y of its own. All were prepared, checked against the reference \
                and warmed up in turn until no faster products were found. Then they were timed in %d rounds; in \
                each round every contender has one turn, and the order of the turns is drawn from the seed %d. A \
                turn starts with a product that is not timed and takes samples for %s or at least one; products \
                shorter than %s are repeated within a sample. Caches were %s. Garbage was collected before the \
                rounds. After libraries whose threads keep looking for work, the next turn waits until they sleep. \
                Peers that compute in Java have a process each, with the options of this one, and are timed there, so \
                that they share neither compiled code nor collector with the others.""",
                settings.rounds(), settings.seed(),
                Numbers.seconds(settings.seconds() / settings.rounds()),
                Numbers.seconds(settings.minimumSampleSeconds()),
                settings.caches() == MeasureSettings.Caches.WARM
                        ? "left as the contender's own last product left them"
                        : "filled with something else before each sample"));
        out.element("p", "A contender that goes over to faster code by itself was warmed up until it had, or for "
                + Numbers.seconds(settings.settlingSeconds()) + ".");
        out.element("p", ACCEPTED);
        out.element("p", BANDWIDTHS);
    }

    private void where() {
        Machine machine = report.provenance().machine();
        out.open("dl");
        HtmlPage.command(out, report.provenance());
        report.peers().entrySet().stream().sorted(java.util.Map.Entry.comparingByKey())
                .forEach(peer -> HtmlPage.entry(out, peer.getKey(), peer.getValue()));
        HtmlPage.processor(out, machine);
        for (Bandwidth bandwidth : report.bandwidths()) {
            HtmlPage.entry(out, "On " + bandwidth.threads() + (bandwidth.threads() == 1 ? " thread" : " threads"),
                    "triad " + Numbers.real(bandwidth.triadGBs()) + " GB/s, read "
                            + Numbers.real(bandwidth.readGBs()) + " GB/s, peak "
                            + Numbers.real(bandwidth.peakGflops()) + " GFLOP/s; arrays of "
                            + Numbers.bytes(bandwidth.arrayBytes()));
        }
        HtmlPage.system(out, machine);
        out.close("dl").line();
    }
}
