package org.trellis.bench.powers;

import java.util.List;
import org.trellis.bench.report.Column;
import org.trellis.bench.report.Format;
import org.trellis.bench.report.Table;
import org.trellis.distributed.device.DeviceTransports;
import org.trellis.distributed.powers.RingContest;
import org.trellis.distributed.powers.RingModel;

/**
 * Steps on several ranks.
 *
 * @param rows      rows of the matrix
 * @param nonZeros  its entries
 * @param ranks     number of ranks
 * @param transport how messages travelled
 * @param results   one for each number of rings that was asked for
 * @param choice    how the number of rings was chosen, or null if not requested
 * @param transports      which transports messages between devices have, and take; null if that was not found out
 */
public record PowersReport(long rows, long nonZeros, int ranks, String transport, List<Rings> results, Choice choice,
        DeviceTransports transports) {
    /**
     * Returns the results as a table, for people and for documents.
     *
     * @return a row for each number of rings
     */
    Table table() {
        Table table = new Table(Column.of("rings", Format.NUMBER).key("rings").means("Rings of the halo."),
                Column.data("chosen"),
                Column.of("a step", Format.SECONDS).key("medianSeconds").means("Median time of a step."),
                Column.of("fastest", Format.SECONDS).key("minSeconds").means("A step of the fastest pass."),
                Column.of("exchanges", Format.COUNT).key("exchanges").means("Exchanges of each rank in a pass."),
                Column.of("messages", Format.COUNT).key("messages").means("Messages of all ranks in a pass."),
                Column.of("bytes sent", Format.BYTES).key("bytes").means("What is in these messages."),
                Column.of("redundant", Format.PERCENT).key("redundantShare")
                        .means("Entries that are multiplied on more than one rank, relative to all."),
                Column.of("checksum", Format.WRITTEN).key("checksum").means("Stands for the bits of the last vector.")
                        .asMinor());
        for (Rings one : results) {
            table.row(new Table.Shown(one.rings(), one.rings() + (one.chosen() ? " (auto)" : "")), one.chosen(),
                    one.seconds(), one.fastest(), one.exchanges(), one.messages(), one.bytes(), one.redundant(),
                    Long.toHexString(one.checksum()));
        }
        return table;
    }

    /**
     * What a number of rings cost. Numbers but times are exact, and of all ranks together.
     *
     * @param rings     number of rings
     * @param chosen    whether model and tuner chose it
     * @param seconds   median time of a step
     * @param fastest   time of a step in the fastest pass
     * @param exchanges exchanges of each rank in one pass of all steps
     * @param messages  messages in one pass
     * @param bytes     bytes in them, right-hand sides left out
     * @param redundant entries that were multiplied redundantly in one pass, relative to the others
     * @param checksum  stands for the bits of the last vector
     */
    public record Rings(int rings, boolean chosen, double seconds, double fastest, long exchanges, long messages,
            long bytes,
            double redundant, long checksum) {}

    /**
     * How the number of rings was chosen.
     *
     * @param rings  the choice
     * @param model  what was predicted; null if a profile knew the number
     * @param trials what was measured within steps of the program; none if a profile knew the number
     * @param steps  steps until the choice was made
     */
    public record Choice(int rings, RingModel model, List<RingContest.Trial> trials, long steps) {}
}
