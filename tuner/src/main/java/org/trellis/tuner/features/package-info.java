/** What tuning knows of a matrix: its features and the fingerprint of its structure. */
package org.trellis.tuner.features;
