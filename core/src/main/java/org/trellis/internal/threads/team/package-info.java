/** The threads that kernels share, and what is shared out to them. */
package org.trellis.internal.threads.team;
