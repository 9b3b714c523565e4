/**
 * Execution plans of parallel loops: blocks, colours, orders, local numberings and inverse maps that keep elements with
 * common targets apart. Pure data, the same for every backend, made once and kept by the mesh.
 *
 * <p>After OP2's {@code op_plan_core} (M. Giles, OP2 Developers Guide, 2012, section 3), I. Z. Reguly's thesis (2014,
 * section 7.1) and Sulyok et al. (Locality optimised unstructured mesh algorithms on GPUs).
 * {@link org.trellis.mesh.plan.LoopPlans} is where to start.
 */
package org.trellis.mesh.plan;
