package org.trellis.mesh.checkpoint;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.trellis.kernel.Access;

/**
 * What a checkpoint would save before each step of a sequence (I. Z. Reguly, PhD thesis, 2014, section 6.1 and figure
 * 6.1): of the dats that steps have changed, those that are read before they are overwritten. A unit is a component of
 * a dat, as in the figure.
 *
 * @param rows     one for each step, in order
 * @param periodic whether the steps repeat themselves, and these are one period
 */
public record CheckpointAnalysis(List<Row> rows, boolean periodic) {
    /** Keeps a copy of the list. */
    public CheckpointAnalysis {
        rows = List.copyOf(rows);
    }

    /**
     * What a step does with a dat.
     *
     * @param dat        its name
     * @param components components of an element
     * @param bytes      all of its values
     * @param access     what is done; {@link Access#WRITE} only if every value is assigned
     */
    public record Touch(String dat, int components, long bytes, Access access) {}

    /**
     * A step.
     *
     * @param name    its name
     * @param touches what it does with each dat that it touches, once each
     */
    public record Use(String name, List<Touch> touches) {
        /** Keeps a copy of the list. */
        public Use {
            touches = List.copyOf(touches);
        }
    }

    /**
     * A place for a checkpoint.
     *
     * @param use   the step before which it would begin
     * @param units components that would be saved
     * @param bytes their values
     * @param saved names of the dats that would be saved
     */
    public record Row(Use use, int units, long bytes, List<String> saved) {
        /** Keeps a copy of the list. */
        public Row {
            saved = List.copyOf(saved);
        }

        /**
         * Says whether the step overwrites a dat, so that a checkpoint may begin before it without an order.
         *
         * @return true if it has an access {@link Access#WRITE}
         */
        public boolean overwrites() {
            return use.touches().stream().anyMatch(touch -> touch.access() == Access.WRITE);
        }
    }

    /**
     * Looks at steps that are repeated for ever.
     *
     * @param period the steps of one period
     * @return what would be saved before each
     */
    public static CheckpointAnalysis ofPeriod(List<Use> period) {
        Map<String, Touch> changed = new LinkedHashMap<>();
        for (Use use : period) {
            use.touches().stream().filter(touch -> touch.access().writes())
                    .forEach(touch -> changed.put(touch.dat(), touch));
        }
        return ofPeriod(period, List.copyOf(changed.values()));
    }

    /**
     * Looks at steps that are repeated for ever.
     *
     * @param period  the steps of one period
     * @param changed the dats that steps have changed, within the period or before
     * @return what would be saved before each; what no step touches is saved
     */
    static CheckpointAnalysis ofPeriod(List<Use> period, List<Touch> changed) {
        List<Use> twice = new ArrayList<>(period);
        twice.addAll(period);
        return new CheckpointAnalysis(linear(twice, changed).subList(0, period.size()), true);
    }

    /**
     * Looks at steps that are not repeated.
     *
     * @param steps all steps from the first on
     * @return what would have been saved before each
     */
    public static CheckpointAnalysis ofRun(List<Use> steps) {
        return new CheckpointAnalysis(linear(steps, List.of()), false);
    }

    private static List<Row> linear(List<Use> steps, List<Touch> changedBefore) {
        List<Map<String, Touch>> changed = new ArrayList<>();
        Map<String, Touch> now = new LinkedHashMap<>();
        changedBefore.forEach(touch -> now.put(touch.dat(), touch));
        for (Use use : steps) {
            changed.add(new LinkedHashMap<>(now));
            use.touches().stream().filter(touch -> touch.access().writes())
                    .forEach(touch -> now.put(touch.dat(), touch));
        }
        Map<String, Access> next = new HashMap<>();
        List<Row> rows = new ArrayList<>();
        for (int s = steps.size() - 1; s >= 0; s--) {
            steps.get(s).touches().forEach(touch -> next.put(touch.dat(), touch.access()));
            rows.add(row(steps.get(s), changed.get(s), next));
        }
        return rows.reversed();
    }

    private static Row row(Use use, Map<String, Touch> changed, Map<String, Access> next) {
        int units = 0;
        long bytes = 0;
        List<String> saved = new ArrayList<>();
        for (Touch touch : changed.values()) {
            if (next.get(touch.dat()) != Access.WRITE) {
                units += touch.components();
                bytes += touch.bytes();
                saved.add(touch.dat());
            }
        }
        return new Row(use, units, bytes, saved);
    }

    /**
     * Returns the fewest bytes that a checkpoint would save before any step that touches a dat: before a loop.
     *
     * @return 0 if there are none
     */
    public long fewestBytes() {
        return rows.stream().filter(row -> !row.use().touches().isEmpty()).mapToLong(Row::bytes).min().orElse(0);
    }

    private static String letter(Access access) {
        return switch (access) {
            case READ -> "R";
            case WRITE -> "W";
            case READ_WRITE -> "RW";
            default -> "I";
        };
    }

    /** A table of the loops like figure 6.1; the best places are marked. */
    @Override
    public String toString() {
        Map<String, Integer> dats = new LinkedHashMap<>();
        Set<String> changed = new HashSet<>();
        for (Row row : rows) {
            for (Touch touch : row.use().touches()) {
                dats.put(touch.dat(), touch.components());
                if (touch.access().writes()) {
                    changed.add(touch.dat());
                }
            }
        }
        int wide = rows.stream().mapToInt(row -> row.use().name().length()).max().orElse(0);
        StringBuilder text = new StringBuilder();
        text.append(periodic ? "One period of the steps" : "All steps, which do not repeat themselves").append('\n');
        text.append(" ".repeat(wide + 6));
        dats.forEach((dat, components) -> text.append("  ").append(dat).append('(').append(components).append(')'));
        text.append("  units     MB\n");
        long fewest = fewestBytes();
        for (int r = 0; r < rows.size(); r++) {
            Row row = rows.get(r);
            if (row.use().touches().isEmpty()) {
                continue;
            }
            text.append(String.format(Locale.ROOT, "%5d %-" + Math.max(1, wide) + "s", r + 1, row.use().name()));
            dats.forEach((dat, components) -> {
                String letters = row.use().touches().stream().filter(touch -> touch.dat().equals(dat))
                        .map(touch -> letter(touch.access())).findFirst().orElse("");
                int width = dat.length() + 2 + components.toString().length();
                text.append(String.format(Locale.ROOT, "  %-" + width + "s", letters));
            });
            text.append(String.format(Locale.ROOT, "  %5d %6.2f%s%n", row.units(), 1e-6 * row.bytes(),
                    row.bytes() == fewest ? (row.overwrites() ? "  <- least" : "  <- least, if marked") : ""));
        }
        dats.keySet().stream().filter(dat -> !changed.contains(dat))
                .forEach(dat -> text.append("Never changed, never saved: ").append(dat).append('\n'));
        return text.toString();
    }
}
