// Which values are constants whatever the input: the states of `sccp`.
#ifndef CAKE_ANALYSIS_CONSTANT_VALUES_H
#define CAKE_ANALYSIS_CONSTANT_VALUES_H

#include "dataflow.h"

CAKE_BEGIN_C

// A value is one constant, as the folders of the ops find it, or varies.
extern const CakeDataflowDef cake_constant_values;

CAKE_END_C
#endif
