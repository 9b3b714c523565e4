package org.trellis.mesh;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.trellis.mesh.loop.ChainOptions;
import org.trellis.mesh.loop.ChainReport;

/** Chains that have been run before, found again by their loops and what these are bound to. */
final class ChainCache {
    /** Chains that are kept; a program that runs more different ones has no use for what is kept. */
    private static final int MAX_PROGRAMS = 32;

    private final Mesh mesh;
    private final ChainOptions options;
    private final Map<List<Object>, ChainProgram> programs = new LinkedHashMap<>(MAX_PROGRAMS, 0.75f, true);
    private int structure = -1;

    ChainCache(Mesh mesh, ChainOptions options) {
        this.mesh = mesh;
        this.options = options;
    }

    /** Returns what runs a chain, and analyses it if it is new. */
    ChainProgram find(List<QueuedStep> steps) {
        if (structure != mesh.structure()) {
            release();
            structure = mesh.structure();
        }
        List<Object> key = new ArrayList<>();
        for (QueuedStep step : steps) {
            step.addKey(key);
        }
        ChainProgram known = programs.get(key);
        if (known == null) {
            known = new ChainProgram(mesh, options, steps);
            programs.put(key, known);
            if (programs.size() > MAX_PROGRAMS) {
                List<Object> oldest = programs.keySet().iterator().next();
                programs.remove(oldest).release();
            }
        }
        return known;
    }

    /** Forgets chains with a loop that is not what it was. */
    void forget(ParallelLoop loop) {
        programs.entrySet().removeIf(entry -> {
            boolean has = entry.getKey().stream().anyMatch(part -> part instanceof LoopStep step
                    && step.loop().equals(loop));
            if (has) {
                entry.getValue().release();
            }
            return has;
        });
    }

    /** Returns the parts of chains that may have a choice, by their place among all and their loops. */
    Map<String, TunedChainSegment> trials() {
        Map<String, TunedChainSegment> found = new LinkedHashMap<>();
        for (ChainProgram program : programs.values()) {
            for (TunedChainSegment piece : program.trials()) {
                found.put(found.size() + ": " + String.join(", ", piece.names()), piece);
            }
        }
        return found;
    }

    List<ChainReport> reports() {
        return programs.values().stream().flatMap(program -> program.reports().stream()).toList();
    }

    void release() {
        programs.values().forEach(ChainProgram::release);
        programs.clear();
    }
}
