/**
 * From kernels as they are written to what a machine runs: functions inlined, loops over components unrolled,
 * components in local variables of their own, each assigned once where that is possible.
 */
package org.trellis.processor.lower;
