/**
 * Tuning of parallel loops on meshes: within the runs that a program makes anyway, or by searches with runs of their
 * own.
 */
package org.trellis.tuner.loop;
