/**
 * What the harness asks of an application on the mesh runtime, so that its commands can tune and measure the loops of
 * any. An application implements {@link org.trellis.bench.application.MeshApplication}, which is found by
 * {@link java.util.ServiceLoader}; the harness itself knows none.
 */
package org.trellis.bench.application;
