// The sections of the report; `trials` is the number of simulated runs behind each point.
#pragma once

#include <cstdint>

namespace fathom::simulation {

void report_proportions();
void report_fractions(int64_t trials);
void report_clusters(int64_t trials);
void report_task_means(int64_t trials);
void report_effective_lengths(int64_t trials);
void report_other_lengths(int64_t trials);  // relative, robust, business risk, slopes
void report_paired_intervals(int64_t trials);
void report_paired_tests(int64_t trials);
void report_gate(int64_t trials);
void report_corrections(int64_t trials);
void report_speed();

}  // namespace fathom::simulation
