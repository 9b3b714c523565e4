package org.trellis.mesh;

import java.util.List;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.KernelSignature;

/** Checks that the arguments of a loop fit its kernel, its set and each other. */
final class LoopChecks {
    private final KernelSignature signature;
    private final MeshSet set;
    private final List<LoopArgument> arguments;
    private Dat precisionFrom;

    LoopChecks(KernelSignature signature, MeshSet set, List<LoopArgument> arguments) {
        this.signature = signature;
        this.set = set;
        this.arguments = arguments;
    }

    static String where(KernelSignature signature, MeshSet set, int index) {
        return "loop " + signature.name() + " over set '" + set.name() + "', argument " + index + " '"
                + signature.arguments().get(index).name() + "'";
    }

    private IllegalArgumentException wrong(int index, String found, String expected) {
        return new IllegalArgumentException(
                where(signature, set, index) + ": found " + found + ", expected " + expected);
    }

    static IllegalArgumentException writtenTwice(String where, Dat dat, MeshMap map, int target) {
        return new IllegalArgumentException(where + ": found " + dat + " written through " + map
                + ", which leads to element " + target + " of set '" + map.to().name()
                + "' more than once, expected a map that leads to each element at most once");
    }

    /** Returns the precision of the loop. */
    Precision run() {
        if (arguments.size() != signature.arity()) {
            throw new IllegalArgumentException("loop " + signature.name() + " over set '" + set.name() + "' has "
                    + arguments.size() + " arguments, expected " + signature.arity() + ": "
                    + signature.arguments().stream().map(ArgumentSignature::name).toList());
        }
        for (int a = 0; a < arguments.size(); a++) {
            checkKind(a);
            switch (arguments.get(a)) {
                case Dat dat -> checkDirect(a, dat);
                case IndirectArgument indirect -> checkIndirect(a, indirect);
                case Global global -> checkValue(a, global.mesh(), global.components(), global.real(), global);
                case Scalar scalar -> checkValue(a, scalar.scalars().mesh(), scalar.components(), true, scalar);
                case MeshConstant constant ->
                    checkValue(a, constant.mesh(), constant.components(), constant.real(), constant);
                case MeshRaster raster -> checkValue(a, raster.mesh(), raster.raster().components(), true, raster);
            }
        }
        for (int a = 0; a < arguments.size(); a++) {
            for (int b = 0; b < a; b++) {
                checkPair(b, a);
            }
        }
        return precisionFrom == null ? Precision.F64 : precisionFrom.precision();
    }

    private void checkKind(int a) {
        ArgumentSignature.Kind kind = switch (arguments.get(a)) {
            case Dat dat -> ArgumentSignature.Kind.DAT;
            case IndirectArgument indirect -> ArgumentSignature.Kind.DAT;
            case Global global -> ArgumentSignature.Kind.GLOBAL;
            case Scalar scalar -> ArgumentSignature.Kind.GLOBAL;
            case MeshConstant constant -> ArgumentSignature.Kind.CONSTANT;
            case MeshRaster raster -> ArgumentSignature.Kind.CONSTANT;
        };
        ArgumentSignature.Kind wanted = signature.arguments().get(a).kind();
        if (kind != wanted) {
            throw wrong(a, arguments.get(a).toString(), switch (wanted) {
                case DAT -> "a dat";
                case GLOBAL -> "a global or scalar";
                case CONSTANT -> "a constant";
            });
        }
        boolean raster = signature.arguments().get(a).entries() == ArgumentSignature.RASTER;
        if (raster != arguments.get(a) instanceof MeshRaster) {
            throw wrong(a, arguments.get(a).toString(), raster ? "a raster" : "no raster");
        }
    }

    private void checkMesh(int a, Mesh mesh) {
        if (mesh != set.mesh()) {
            throw wrong(a, arguments.get(a) + " of another mesh", "data of the mesh of set '" + set.name() + "'");
        }
    }

    private void checkValue(int a, Mesh mesh, int components, boolean real, Object value) {
        checkMesh(a, mesh);
        checkComponents(a, value, components);
        checkType(a, value, real);
    }

    private void checkComponents(int a, Object data, int components) {
        int wanted = signature.arguments().get(a).components();
        if (components != wanted) {
            throw wrong(a, data + " with " + components + " components", Integer.toString(wanted));
        }
    }

    private void checkType(int a, Object data, boolean real) {
        boolean wanted = signature.arguments().get(a).type() == ArgumentSignature.Type.REAL;
        if (real != wanted) {
            throw wrong(a, data + " of " + (real ? "real" : "whole") + " numbers",
                    wanted ? "real numbers" : "whole numbers");
        }
    }

    private void checkDat(int a, Dat dat) {
        checkMesh(a, dat.set().mesh());
        if (dat.isClosed()) {
            throw wrong(a, dat + ", which is closed", "a dat that is open");
        }
        checkComponents(a, dat, dat.components());
        checkType(a, dat, dat.type().real());
        if (dat.type().real()) {
            if (precisionFrom == null) {
                precisionFrom = dat;
            } else if (precisionFrom.precision() != dat.precision()) {
                throw wrong(a, dat.toString(), "the precision of " + precisionFrom + " in the same loop");
            }
        }
    }

    private void checkDirect(int a, Dat dat) {
        checkDat(a, dat);
        int entries = signature.arguments().get(a).entries();
        if (dat.set() != set) {
            throw wrong(a, dat.toString(), "a dat on set '" + set.name() + "', or a map to set '" + dat.set().name()
                    + "'");
        }
        if (entries != 1) {
            throw wrong(a, dat + " without a map", "a dat through all entries of a map with "
                    + (entries == ArgumentSignature.VARIABLE ? "variable arity" : "arity " + entries));
        }
    }

    private void checkIndirect(int a, IndirectArgument indirect) {
        MeshMap map = indirect.map();
        checkDat(a, indirect.dat());
        if (map.from() != set) {
            throw wrong(a, map.toString(), "a map from set '" + set.name() + "'");
        }
        int entries = signature.arguments().get(a).entries();
        int given = indirect.entry() == IndirectArgument.ALL ? map.arity() : 1;
        if (given != entries) {
            throw wrong(a, (given == 1 ? "one entry" : "all entries") + " of " + map,
                    entries == 1
                            ? "one entry of a map, as in at(map, 0)"
                            : "all entries of a map with " + (entries == ArgumentSignature.VARIABLE
                                    ? "variable arity"
                                    : "arity " + entries) + ", as in at(map)");
        }
        Access access = signature.arguments().get(a).access();
        // Where ranks have shares of a map only, the loops of their own meshes are checked.
        if (map.isWhole() && (access == Access.WRITE || access == Access.READ_WRITE)) {
            int target = map.repeatedTarget(indirect.entry());
            if (target >= 0) {
                throw writtenTwice(where(signature, set, a), indirect.dat(), map,
                        map.to().order().inverse().newIndex(target));
            }
        }
    }

    /** Says whether two arguments have data in common. */
    @SuppressWarnings("ReferenceEquality") // data are distinguished by identity
    static boolean share(LoopArgument one, LoopArgument other) {
        if (one instanceof Scalar first && other instanceof Scalar second) {
            return first.overlaps(second);
        }
        return data(one) == data(other);
    }

    private static Object data(LoopArgument argument) {
        return argument instanceof IndirectArgument indirect ? indirect.dat() : argument;
    }

    /**
     * Says whether code that was made for one argument serves another as well: both are reached in the same way and
     * have the same shape.
     */
    @SuppressWarnings("ReferenceEquality")
    static boolean sameShape(LoopArgument one, LoopArgument other) {
        return switch (one) {
            case Dat dat -> other instanceof Dat that && sameShape(dat, that);
            case IndirectArgument indirect -> other instanceof IndirectArgument that && indirect.map() == that.map()
                    && indirect.entry() == that.entry() && sameShape(indirect.dat(), that.dat());
            case Scalar scalar -> other instanceof Scalar that && scalar.scalars().mesh() == that.scalars().mesh()
                    && scalar.components() == that.components();
            case Global global -> global == other;
            case MeshConstant constant -> constant == other;
            case MeshRaster raster -> raster == other;
        };
    }

    private static boolean sameShape(Dat one, Dat other) {
        return one.set().equals(other.set()) && one.components() == other.components() && one.type() == other.type()
                && one.elementStride() == other.elementStride() && one.componentStride() == other.componentStride();
    }

    /**
     * Says whether one argument reads and another writes different elements of one dat, through maps: then no element
     * of the
     * loop sees what another writes, and order does not matter.
     */
    private boolean writesApart(int first, int second) {
        boolean readsFirst = signature.arguments().get(first).access() == Access.READ;
        int reader = readsFirst ? first : second;
        int writer = readsFirst ? second : first;
        Access access = signature.arguments().get(writer).access();
        if (signature.arguments().get(reader).access() != Access.READ
                || (access != Access.WRITE && access != Access.READ_WRITE)) {
            return false;
        }
        if (!(arguments.get(reader) instanceof IndirectArgument read)
                || !(arguments.get(writer) instanceof IndirectArgument written)) {
            return false;
        }
        if (!written.map().isWhole() || !read.map().isWhole()) {
            return true;
        }
        int target = written.map().targets().commonTarget(written.entry(), read.map().targets(), read.entry(),
                written.map().to().size());
        if (target >= 0) {
            throw readAndWritten(where(signature, set, writer), written.dat(), written.map(), read.map(),
                    written.map().to().order().inverse().newIndex(target));
        }
        return true;
    }

    static IllegalArgumentException readAndWritten(String where, Dat dat, MeshMap written, MeshMap read, int target) {
        return new IllegalArgumentException(where + ": found " + dat + " written through " + written
                + " and read through " + read + ", which both lead to element " + target + " of set '"
                + written.to().name() + "', expected maps to different elements");
    }

    /** Two arguments with the same data: order would matter unless both read or both add. */
    private void checkPair(int first, int second) {
        if (!share(arguments.get(first), arguments.get(second))) {
            return;
        }
        Access one = signature.arguments().get(first).access();
        Access other = signature.arguments().get(second).access();
        if (writesApart(first, second)) {
            return;
        }
        if (one != other || (one != Access.READ && one != Access.INCREMENT)) {
            throw wrong(second, "'" + arguments.get(second).name() + "' with access " + other + " beside argument "
                    + first + " with access " + one, "data bound more than once to be read by all, or added to by all");
        }
    }
}
