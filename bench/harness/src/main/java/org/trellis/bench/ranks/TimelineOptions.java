package org.trellis.bench.ranks;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trellis.bench.console.Console;
import org.trellis.bench.console.OutputFile;
import org.trellis.bench.report.Numbers;
import org.trellis.bench.report.Provenance;
import org.trellis.bench.report.TimelineTable;
import org.trellis.bench.report.html.TimelinePage;
import org.trellis.distributed.communicate.TimelineReport;
import picocli.CommandLine.Option;

/** The options that ask what ranks were at, and the answers. */
final class TimelineOptions {
    @Option(names = "--report", description = {
        "Print what each rank was at: time in interior, boundary, packing, waiting and reducing, messages, bytes."})
    private boolean table;

    @Option(names = "--timeline", paramLabel = "FILE",
            description = "Write the same for a browser, with a picture of one iteration over all ranks.")
    private Path html;

    @Option(names = "--timeline-json", paramLabel = "FILE", description = "Write the same as JSON.")
    private Path json;

    void check() {
        OutputFile.checkHtml("--timeline", html);
        OutputFile.check("--timeline-json", json);
    }

    boolean isAsked() {
        return table || html != null || json != null;
    }

    /** The options again, for processes that are started elsewhere. */
    List<String> words() {
        List<String> words = new ArrayList<>();
        if (table) {
            words.add("--report");
        }
        if (html != null) {
            words.addAll(List.of("--timeline", html.toAbsolutePath().toString()));
        }
        if (json != null) {
            words.addAll(List.of("--timeline-json", json.toAbsolutePath().toString()));
        }
        return words;
    }

    void tell(Console console, TimelineReport report, Provenance provenance) throws IOException {
        if (table) {
            print(console, report);
        }
        if (html != null) {
            OutputFile.write(html, TimelinePage.of(report, provenance));
            console.print("  timeline          %s", html);
        }
        if (json != null) {
            OutputFile.write(json, TimelineDocument.of(report, provenance));
            console.print("  JSON              %s", json);
        }
    }

    private static void print(Console console, TimelineReport report) {
        console.printText(TimelineTable.of(report).text());
        console.print("  load balance      %s, the mean of the ranks' interior and boundary over the most",
                Numbers.percent(report.balance()));
    }
}
