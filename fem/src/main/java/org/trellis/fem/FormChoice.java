package org.trellis.fem;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.trellis.common.Checks;
import org.trellis.fem.integrate.Formulation;
import org.trellis.mesh.loop.LoopScheme;

/**
 * What a rule or tuning chooses of {@link FormOptions}.
 *
 * @param storage     where the values go
 * @param formulation how integrals are summed up
 * @param scheme      how elements with common targets are kept apart, or empty for the backend's rule
 * @param blockSize   elements of a block in loops that add through maps, or 0 for the backend's rule
 */
public record FormChoice(Storage storage, Formulation formulation, Optional<LoopScheme> scheme, int blockSize) {
    private static final String STORAGE = "storage";
    private static final String FORMULATION = "formulation";
    private static final String SCHEME = "scheme";
    private static final String BLOCK_SIZE = "blockSize";
    private static final String RULE = "rule";

    /**
     * Checks that nothing is missing.
     *
     * @throws IllegalArgumentException if the block size is negative
     */
    public FormChoice {
        Objects.requireNonNull(storage);
        Objects.requireNonNull(formulation);
        Objects.requireNonNull(scheme);
        Checks.notNegative("block size", blockSize);
    }

    /**
     * Makes a choice that leaves loops to the backend.
     *
     * @param storage     where the values go
     * @param formulation how integrals are summed up
     * @return the choice
     */
    public static FormChoice of(Storage storage, Formulation formulation) {
        return new FormChoice(storage, formulation, Optional.empty(), 0);
    }

    /**
     * Returns a choice with another scheme.
     *
     * @param value the scheme of loops that add through maps
     * @return the changed choice
     */
    public FormChoice withScheme(LoopScheme value) {
        return new FormChoice(storage, formulation, Optional.of(value), blockSize);
    }

    /**
     * Returns a choice with blocks of another size.
     *
     * @param value elements of a block, or 0 for the backend's rule
     * @return the changed choice
     * @throws IllegalArgumentException if it is negative
     */
    public FormChoice withBlockSize(int value) {
        return new FormChoice(storage, formulation, scheme, value);
    }

    /**
     * Returns the choice by name, for files.
     *
     * @return a new map in a fixed order; values are strings and integers
     */
    public Map<String, Object> toMap() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put(STORAGE, storage.label());
        map.put(FORMULATION, formulation.label());
        map.put(SCHEME, scheme.map(LoopScheme::label).orElse(RULE));
        map.put(BLOCK_SIZE, blockSize);
        return map;
    }

    /**
     * Reads a choice by name; the inverse of {@link #toMap()}.
     *
     * @param map names and values
     * @return the choice
     * @throws IllegalArgumentException if one of the names is missing, another is there, or a value has the wrong type
     *                                  or range
     */
    public static FormChoice fromMap(Map<String, ?> map) {
        for (String key : map.keySet()) {
            if (!key.equals(STORAGE) && !key.equals(FORMULATION) && !key.equals(SCHEME) && !key.equals(BLOCK_SIZE)) {
                throw new IllegalArgumentException("choice has '" + key + "', expected " + STORAGE + ", " + FORMULATION
                        + ", " + SCHEME + " and " + BLOCK_SIZE);
            }
        }
        String scheme = word(map, SCHEME);
        if (!(map.get(BLOCK_SIZE) instanceof Integer block)) {
            throw new IllegalArgumentException(BLOCK_SIZE + " is " + map.get(BLOCK_SIZE) + ", expected a whole number");
        }
        return new FormChoice(Storage.of(word(map, STORAGE)), Formulation.of(word(map, FORMULATION)),
                scheme.equals(RULE) ? Optional.empty() : Optional.of(LoopScheme.of(scheme)), block);
    }

    private static String word(Map<String, ?> map, String key) {
        if (map.get(key) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException(key + " is " + map.get(key) + ", expected its name as a string");
    }

    /**
     * Returns the choice in one line, for tables.
     *
     * @return for example {@code csr, global-reuse, two-level, blocks of 256}
     */
    @Override
    public String toString() {
        return storage.label() + ", " + formulation.label() + scheme.map(value -> ", " + value.label()).orElse("")
                + (blockSize == 0 ? "" : ", blocks of " + blockSize);
    }
}
