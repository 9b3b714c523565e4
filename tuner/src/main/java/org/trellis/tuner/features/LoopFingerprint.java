package org.trellis.tuner.features;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.mesh.Dat;
import org.trellis.mesh.IndirectArgument;
import org.trellis.mesh.LoopDeclaration;
import org.trellis.mesh.MeshMap;

/**
 * Names a parallel loop for profiles: its kernel (name and signature), and what it is bound to, that is the sizes of
 * its sets, the entries of its maps as they are numbered now, the blocks of its set, components, precision and layouts
 * of its dats, and which arguments share a dat. Not the values. Times of one loop hold for another with the same
 * fingerprint; of different loops, two in 2¹²⁸ have the same. It guards against mix-ups, not against forgery.
 *
 * @param text the version of the method, the number of elements, 64 bits of the kernel and 128 of what it is bound to
 */
public record LoopFingerprint(String text) {
    private static final Pattern FORM = Pattern.compile("loop1-\\d{1,10}-[0-9a-f]{16}-[0-9a-f]{32}");
    private static final int KERNEL_DIGITS = 16;
    private static final int BINDING_DIGITS = 32;

    /**
     * Checks the form.
     *
     * @throws IllegalArgumentException if the text has not the form of a fingerprint
     */
    public LoopFingerprint {
        Objects.requireNonNull(text);
        if (!FORM.matcher(text).matches()) {
            throw new IllegalArgumentException("fingerprint '" + text
                    + "', expected loop1-ELEMENTS-, 16 and 32 hexadecimal digits");
        }
    }

    /** The digest of a column of a map, kept by the mesh until the numbering changes. */
    private record MapKey(MeshMap map, int entry) {}

    private record MapDigest(long first, long second) {}

    /**
     * Finds the fingerprint of a loop. One pass over each map that it uses, the first time after a renumbering.
     *
     * @param loop the loop
     * @return its fingerprint, the same on every machine and backend
     */
    public static LoopFingerprint of(LoopDeclaration loop) {
        HexFormat hex = HexFormat.of();
        Digest binding = new Digest();
        binding.add(loop.precision().bytes());
        binding.add(loop.set().size());
        int[] blocks = loop.set().blockOffsets();
        if (blocks != null) {
            binding.add(blocks);
        }
        List<Dat> dats = new ArrayList<>();
        for (int a = 0; a < loop.arity(); a++) {
            addArgument(binding, loop, a, dats);
        }
        return new LoopFingerprint("loop1-" + loop.set().size() + '-' + hex.toHexDigits(kernel(loop).first()) + '-'
                + hex.toHexDigits(binding.first()) + hex.toHexDigits(binding.second()));
    }

    private static Digest kernel(LoopDeclaration loop) {
        Digest kernel = new Digest();
        kernel.add(loop.name());
        for (int a = 0; a < loop.arity(); a++) {
            ArgumentSignature argument = loop.signature(a);
            kernel.add(argument.kind().name());
            kernel.add(argument.access().name());
            kernel.add(argument.type().name());
            kernel.add(argument.components(), argument.entries(), argument.repeats(), argument.sign());
        }
        return kernel;
    }

    private static void addArgument(Digest binding, LoopDeclaration loop, int a, List<Dat> dats) {
        Dat dat = loop.dat(a);
        if (dat == null) {
            return;
        }
        int number = dats.indexOf(dat);
        if (number < 0) {
            number = dats.size();
            dats.add(dat);
        }
        // With one component both layouts are the same memory.
        boolean soa = dat.components() > 1 && dat.componentStride() != 1;
        binding.add(number, dat.set().size(), dat.components(), dat.type().bytes(), soa ? 1 : 0);
        MeshMap map = loop.map(a);
        if (map == null) {
            return;
        }
        int entry = loop.entry(a);
        if (map.arity() == MeshMap.VARIABLE) {
            addColumn(binding, map, entry);
        } else {
            for (int e = 0; e < map.arity(); e++) {
                if (entry == e || entry == IndirectArgument.ALL) {
                    addColumn(binding, map, e);
                }
            }
        }
    }

    private static void addColumn(Digest binding, MeshMap map, int entry) {
        MapDigest digest = map.from().mesh().derived(new MapKey(map, entry), MapDigest.class, () -> {
            Digest column = new Digest();
            if (map.arity() == MeshMap.VARIABLE) {
                column.add(map.offsets());
                column.add(map.entries());
            } else {
                column.add(map.column(entry));
            }
            return new MapDigest(column.first(), column.second());
        });
        binding.add(digest.first());
        binding.add(digest.second());
    }

    /**
     * Returns whether another loop has the same kernel, whatever it is bound to.
     *
     * @param other its fingerprint
     * @return true if name and signature of the kernel are the same
     */
    public boolean hasKernelOf(LoopFingerprint other) {
        return kernelDigits().equals(other.kernelDigits());
    }

    private String kernelDigits() {
        int end = text.length() - BINDING_DIGITS - 1;
        return text.substring(end - KERNEL_DIGITS, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
