package org.trellis.cuda.mesh;

import org.trellis.kernel.Access;
import org.trellis.mesh.Global;
import org.trellis.mesh.LoopArgument;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.Scalar;

/**
 * What a loop of a chain reduces: chunks add to a global of the chain's own, which is combined with the program's one
 * when that is its turn among the steps, or as soon as it is read.
 */
final class ChunkReduction {
    private final LoopArgument given;
    private final Access access;
    private final Global own;
    private final Runnable combine = this::combine;

    /**
     * Takes the argument of a loop and the one that stands for it.
     *
     * @param loop     the program's loop
     * @param apart    the same with globals of its own
     * @param argument the index of an argument that is reduced
     */
    ChunkReduction(LoopDeclaration loop, LoopDeclaration apart, int argument) {
        this.given = loop.argument(argument);
        this.access = loop.access(argument);
        this.own = (Global) apart.argument(argument);
    }

    /** Begins a run: the code that waits for the result of the last one gets it first. */
    void begin() {
        if (given instanceof Global global && global.awaits(combine)) {
            look(global);
        }
        double[] neutral = new double[own.components()];
        for (int c = 0; c < neutral.length; c++) {
            neutral[c] = neutral();
        }
        own.set(neutral);
    }

    private static void look(Global global) {
        if (global.real()) {
            global.doubles();
        } else {
            global.ints();
        }
    }

    private double neutral() {
        return switch (access) {
            case MIN -> own.real() ? Double.POSITIVE_INFINITY : Integer.MAX_VALUE;
            case MAX -> own.real() ? Double.NEGATIVE_INFINITY : Integer.MIN_VALUE;
            default -> 0;
        };
    }

    /** It is the loop's turn: a global gets the result later, scalars get it now. */
    void finish() {
        if (given instanceof Global global) {
            global.pending(combine);
        } else {
            Scalar scalar = (Scalar) given;
            for (int c = 0; c < own.components(); c++) {
                scalar.scalars().set(scalar.first() + c, own.doubles()[c]);
            }
        }
    }

    private void combine() {
        Global global = (Global) given;
        for (int c = 0; c < own.components(); c++) {
            if (own.real()) {
                double before = global.doubles()[c];
                double part = own.doubles()[c];
                global.doubles()[c] = switch (access) {
                    case MIN -> Math.min(before, part);
                    case MAX -> Math.max(before, part);
                    default -> before + part;
                };
            } else {
                int before = global.ints()[c];
                int part = own.ints()[c];
                global.ints()[c] = switch (access) {
                    case MIN -> Math.min(before, part);
                    case MAX -> Math.max(before, part);
                    default -> before + part;
                };
            }
        }
    }
}
