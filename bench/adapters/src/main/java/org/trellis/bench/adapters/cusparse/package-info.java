/** cuSPARSE, NVIDIA's sparse library, through JCusparse; what that lacks, through foreign functions. */
package org.trellis.bench.adapters.cusparse;
