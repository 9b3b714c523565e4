package org.trellis.cuda.mesh;

import java.util.Map;
import org.trellis.cuda.compile.KernelSource;

/** The header of generated loops. */
final class LoopHeader {
    /** The file. */
    static final String NAME = "loop.cuh";
    /** The header by its name. */
    static final Map<String, String> HEADERS =
            Map.of(NAME, KernelSource.resource(LoopHeader.class, NAME).text());

    private LoopHeader() {}
}
