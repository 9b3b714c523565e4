/**
 * What tuning of products and tuning of loops share: how variants are compared and timed, how far tuning goes,
 * and where its first guess comes from.
 */
package org.trellis.tuner.contest;
