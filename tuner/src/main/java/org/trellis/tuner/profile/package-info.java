/**
 * Tuning profiles: what was measured, on which device and matrix, and the models learnt from it, in a file that
 * several programs can share.
 */
package org.trellis.tuner.profile;
