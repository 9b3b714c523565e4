package org.trellis.mesh;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.trellis.common.Precision;
import org.trellis.kernel.Access;
import org.trellis.kernel.ArgumentSignature;
import org.trellis.kernel.FusedKernel;
import org.trellis.kernel.KernelSignature;
import org.trellis.kernel.LoopKernel;

/**
 * A kernel bound to a set and to data, found to fit together. What backends prepare. Other data of the same shape may
 * be bound later ({@link ParallelLoop#bind}).
 */
public final class LoopDeclaration {
    private final LoopKernel kernel;
    private final KernelSignature signature;
    private final MeshSet set;
    private final LoopArgument[] arguments;
    private final Precision precision;
    private int bindings;

    LoopDeclaration(LoopKernel kernel, MeshSet set, List<LoopArgument> arguments) {
        this.kernel = Objects.requireNonNull(kernel);
        this.signature = kernel.signature();
        this.set = Objects.requireNonNull(set);
        this.arguments = arguments.toArray(LoopArgument[]::new);
        this.precision = new LoopChecks(signature, set, List.copyOf(arguments)).run();
    }

    private LoopDeclaration(LoopKernel kernel, LoopDeclaration like, List<LoopArgument> arguments) {
        this.kernel = kernel;
        this.signature = kernel.signature();
        this.set = like.set;
        this.arguments = arguments.toArray(LoopArgument[]::new);
        this.precision = like.precision;
    }

    /** Puts loops together; they have been checked, and how they share data too. */
    static LoopDeclaration fused(FusedKernel kernel, LoopDeclaration first, List<LoopArgument> arguments) {
        return new LoopDeclaration(kernel, first, arguments);
    }

    /**
     * Returns the loops that this one consists of, bound to the same data.
     *
     * @return in the order in which they run; this one alone unless its kernel is a {@link FusedKernel}
     */
    public List<LoopDeclaration> parts() {
        return kernel instanceof FusedKernel fused
                ? fused.parts().stream().map(part -> new LoopDeclaration(part.kernel(), this,
                        part.arguments().stream().map(this::argument).toList())).toList()
                : List.of(this);
    }

    /**
     * Returns the same loop with globals of its own, which are no mesh's, in place of the globals and scalars that it
     * reduces into. For backends that keep what a loop reduces apart.
     *
     * @return a loop that is not bound again when this one is
     */
    public LoopDeclaration apart() {
        List<LoopArgument> others = new ArrayList<>();
        for (int a = 0; a < arguments.length; a++) {
            LoopArgument argument = arguments[a];
            if (access(a).reduces()) {
                boolean real = !(argument instanceof Global global) || global.real();
                int components = signature(a).components();
                argument = new Global(set.mesh(), "part of " + argument, real ? new double[components] : null,
                        real ? null : new int[components]);
            }
            others.add(argument);
        }
        return new LoopDeclaration(kernel, this, others);
    }

    /**
     * Says whether other arguments could be bound without changing any code. Allocates nothing.
     *
     * @return false if one is of another shape, or others than before share data
     */
    boolean fits(LoopArgument... others) {
        if (others.length != arguments.length) {
            return false;
        }
        for (int a = 0; a < others.length; a++) {
            if (!LoopChecks.sameShape(arguments[a], others[a])) {
                return false;
            }
            for (int b = 0; b < a; b++) {
                if (LoopChecks.share(others[b], others[a]) != LoopChecks.share(arguments[b], arguments[a])) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Binds another argument to a parameter; it has been found to fit. */
    void bind(int index, LoopArgument argument) {
        arguments[index] = argument;
        bindings++;
    }

    /**
     * Returns how often an argument has been bound since the loop was declared, so that who remembers the arguments
     * finds out by one number whether they are still those.
     *
     * @return at least 0
     */
    public int bindings() {
        return bindings;
    }

    /**
     * Returns the kernel.
     *
     * @return the kernel
     */
    public LoopKernel kernel() {
        return kernel;
    }

    /**
     * Returns the name used in messages and reports.
     *
     * @return the kernel's
     */
    public String name() {
        return signature.name();
    }

    /**
     * Returns the set whose elements the loop runs over.
     *
     * @return the set
     */
    public MeshSet set() {
        return set;
    }

    /**
     * Returns the precision of the real dats.
     *
     * @return the precision; double if there are none
     */
    public Precision precision() {
        return precision;
    }

    /**
     * Returns the number of arguments.
     *
     * @return the kernel's arity
     */
    public int arity() {
        return arguments.length;
    }

    /**
     * Returns what a parameter takes.
     *
     * @param index its index
     * @return its signature
     */
    public ArgumentSignature signature(int index) {
        return signature.arguments().get(index);
    }

    /**
     * Returns what is bound to a parameter.
     *
     * @param index its index
     * @return the argument
     */
    public LoopArgument argument(int index) {
        return arguments[index];
    }

    /**
     * Returns the access of a parameter.
     *
     * @param index its index
     * @return what the kernel does with it
     */
    public Access access(int index) {
        return signature(index).access();
    }

    /**
     * Returns the dat that is bound to a parameter, directly or through a map.
     *
     * @param index its index
     * @return the dat, or null for a global, scalar, constant or raster
     */
    public Dat dat(int index) {
        return switch (arguments[index]) {
            case Dat dat -> dat;
            case IndirectArgument indirect -> indirect.dat();
            case Global global -> null;
            case Scalar scalar -> null;
            case MeshConstant constant -> null;
            case MeshRaster raster -> null;
        };
    }

    /** Says whether a dat is bound to any parameter. */
    boolean uses(Dat dat) {
        for (int index = 0; index < arity(); index++) {
            if (dat.equals(dat(index))) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the map through which a parameter is bound.
     *
     * @param index its index
     * @return the map, or null
     */
    public MeshMap map(int index) {
        return arguments[index] instanceof IndirectArgument indirect ? indirect.map() : null;
    }

    /**
     * Returns the entry of the map through which a parameter is bound.
     *
     * @param index its index
     * @return the entry, or {@link IndirectArgument#ALL}
     * @throws IllegalArgumentException if the parameter is not bound through a map
     */
    public int entry(int index) {
        if (arguments[index] instanceof IndirectArgument indirect) {
            return indirect.entry();
        }
        throw new IllegalArgumentException(where(index) + " is not bound through a map");
    }

    /**
     * Says whether a parameter adds to a dat through a map.
     *
     * @param index its index
     * @return true if it may conflict with itself in other elements
     */
    public boolean incrementsIndirectly(int index) {
        return access(index) == Access.INCREMENT && map(index) != null;
    }

    /**
     * Says whether the loop adds to dats through maps, so that elements may conflict.
     *
     * @return true if any parameter does
     */
    public boolean incrementsIndirectly() {
        for (int index = 0; index < arity(); index++) {
            if (incrementsIndirectly(index)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Names a parameter in messages.
     *
     * @param index its index
     * @return loop, index and name of the parameter
     */
    public String where(int index) {
        return LoopChecks.where(signature, set, index);
    }

    @Override
    public String toString() {
        return "loop " + name() + " over " + set;
    }
}
