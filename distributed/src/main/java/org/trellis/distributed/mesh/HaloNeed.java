package org.trellis.distributed.mesh;

/**
 * Elements of other ranks of a dat that have to be up to date.
 *
 * @param dat the dat
 * @param key which elements
 */
record HaloNeed(LocalDat dat, HaloKey key) {
    /** Says whether they are up to date. */
    boolean isMet() {
        return dat.has(key);
    }
}
