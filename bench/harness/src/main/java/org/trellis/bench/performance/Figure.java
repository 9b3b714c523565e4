package org.trellis.bench.performance;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * A figure of performance.
 *
 * @param kind   what it is
 * @param value  in the mean, or for the only case
 * @param spread its range over cases and runs
 * @param worst  in the worst case, and which that is; empty where the figure is of one case
 */
record Figure(Kind kind, String value, String spread, String worst) {
    /** What a figure is. */
    enum Kind {
        /** Time of the peer over that of Trellis; greater is better. */
        SPEED_RATIO("speed ratio"),
        /** Time of Trellis over that of the peer; less is better. */
        TIME_RATIO("time ratio"),
        /** Share of a bound, such as the bandwidth of copies; greater is better. */
        SHARE("share of the bound"),
        /** A time without a peer. */
        TIME("time"),
        /** Work in a time without a peer. */
        RATE("rate");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        String words() {
            return words;
        }

        static Kind of(String words) {
            return Arrays.stream(values()).filter(kind -> kind.words.equals(words)).findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(words));
        }

        static String all() {
            return Arrays.stream(values()).map(Kind::words).collect(Collectors.joining(", ", "one of ", ""));
        }
    }

    /** Returns this with more words about its spread, which may be empty. */
    Figure with(String more) {
        return more.isEmpty() ? this : new Figure(kind, value, spread + "; " + more, worst);
    }

    String withKind() {
        return kind.words() + ' ' + value;
    }
}
