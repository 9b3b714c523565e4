package org.trellis.tuner.form;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.trellis.fem.FormChoice;
import org.trellis.fem.Storage;
import org.trellis.fem.integrate.Formulation;
import org.trellis.mesh.loop.LoopScheme;

/** The variants to store and compute a system that a search considers. */
public final class FormSpace {
    private static final List<LoopScheme> SCHEMES = List.of(LoopScheme.TWO_LEVEL, LoopScheme.BLOCK_PERMUTE,
            LoopScheme.OWNER_COMPUTE, LoopScheme.TEMPORARY, LoopScheme.FULL_PERMUTE);
    private static final List<Integer> BLOCKS = List.of(64, 128, 256, 512, 1024, 4096);

    private final FormChoice rule;
    private final Predicate<FormChoice> allowed;
    private final boolean conflicts;

    /**
     * Creates a space.
     *
     * @param rule      what the rule says, which belongs to the space
     * @param allowed   says what else belongs to it, where a user has decided on something
     * @param conflicts whether there are several threads, so that schemes matter
     */
    public FormSpace(FormChoice rule, Predicate<FormChoice> allowed, boolean conflicts) {
        this.rule = rule;
        this.allowed = allowed;
        this.conflicts = conflicts;
    }

    /**
     * Returns the rule's choice.
     *
     * @return as given
     */
    public FormChoice rule() {
        return rule;
    }

    /**
     * Says whether a choice belongs to the space.
     *
     * @param choice any
     * @return true if it may be measured
     */
    public boolean fits(FormChoice choice) {
        return choice.equals(rule) || allowed.test(choice);
    }

    /**
     * Returns the variants that differ in storage or formulation, with the rule's scheme and blocks.
     *
     * @return the rule's choice first
     */
    public List<FormChoice> variants() {
        Set<FormChoice> variants = new LinkedHashSet<>();
        variants.add(rule);
        for (Storage storage : Storage.values()) {
            for (Formulation formulation : Formulation.values()) {
                // Factors at points are computed in one way, whatever sums them up.
                boolean same = storage == Storage.MATRIX_FREE_FACTORED && formulation != Formulation.GLOBAL_REUSE
                        && formulation != Formulation.SUM_FACTORISED;
                FormChoice variant = new FormChoice(storage, formulation, rule.scheme(), rule.blockSize());
                if (!same && fits(variant)) {
                    variants.add(variant);
                }
            }
        }
        return new ArrayList<>(variants);
    }

    /**
     * Returns the choices that differ from another in scheme or in the size of blocks.
     *
     * @param from the other
     * @return its neighbours; none where there is but one thread
     */
    public List<FormChoice> around(FormChoice from) {
        List<FormChoice> found = new ArrayList<>();
        if (conflicts) {
            SCHEMES.forEach(scheme -> found.add(from.withScheme(scheme)));
            BLOCKS.forEach(block -> found.add(from.withBlockSize(block)));
            found.removeIf(choice -> choice.equals(from) || !fits(choice));
        }
        return found;
    }

    /**
     * Returns everything.
     *
     * @return all variants with all schemes and sizes of blocks, the rule's choice first
     */
    public List<FormChoice> all() {
        Set<FormChoice> all = new LinkedHashSet<>(variants());
        for (FormChoice variant : variants()) {
            for (FormChoice scheme : around(variant)) {
                all.add(scheme);
                all.addAll(around(scheme));
            }
        }
        return new ArrayList<>(all);
    }
}
