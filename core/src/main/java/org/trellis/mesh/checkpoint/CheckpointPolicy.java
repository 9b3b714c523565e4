package org.trellis.mesh.checkpoint;

import java.util.Objects;

/**
 * Where a checkpoint is begun once it is due (I. Z. Reguly, PhD thesis, 2014, section 6.1).
 *
 * @param kind how the place is chosen
 * @param name the name of a loop, for {@link Kind#MARKED}; else empty
 */
public record CheckpointPolicy(Kind kind, String name) {
    private static final String MARKED = "marked:";

    /** How the place is chosen. */
    public enum Kind {
        /** Before the next loop that overwrites a dat. */
        LOCAL,
        /** Where a period of the steps so far would have saved the fewest bytes. */
        SPECULATIVE,
        /** Before a loop of a name. */
        MARKED
    }

    /** Checks that there is something. */
    public CheckpointPolicy {
        Objects.requireNonNull(kind);
        Objects.requireNonNull(name);
    }

    /**
     * Begins before the next loop that overwrites a dat. Nothing has to be known of what follows; it may not be the
     * place where least is saved.
     *
     * @return the policy
     */
    public static CheckpointPolicy local() {
        return new CheckpointPolicy(Kind.LOCAL, "");
    }

    /**
     * Finds the period of the steps so far by comparing them with themselves, and waits for the place in it where the
     * fewest bytes would have been saved. As long as there is no period, or what follows departs from it, this is
     * {@link #local}.
     *
     * @return the policy
     */
    public static CheckpointPolicy speculative() {
        return new CheckpointPolicy(Kind.SPECULATIVE, "");
    }

    /**
     * Begins before the next loop of a name, such as one that a {@link DryRun} has found.
     *
     * @param name the name of a kernel, with or without its class
     * @return the policy
     * @throws IllegalArgumentException if the name is empty
     */
    public static CheckpointPolicy marked(String name) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("checkpoints before a loop without a name, expected a kernel's name");
        }
        return new CheckpointPolicy(Kind.MARKED, name);
    }

    /**
     * Reads a policy as a command line has it.
     *
     * @param text {@code local}, {@code speculative} or {@code marked:LOOP}
     * @return the policy
     * @throws IllegalArgumentException if it is none of them
     */
    public static CheckpointPolicy of(String text) {
        if (text.equals("local")) {
            return local();
        }
        if (text.equals("speculative")) {
            return speculative();
        }
        if (text.startsWith(MARKED)) {
            return marked(text.substring(MARKED.length()));
        }
        throw new IllegalArgumentException("checkpoint policy is '" + text
                + "', expected local, speculative or marked:LOOP with the name of a loop");
    }

    @Override
    public String toString() {
        return switch (kind) {
            case LOCAL -> "local";
            case SPECULATIVE -> "speculative";
            case MARKED -> MARKED + name;
        };
    }
}
